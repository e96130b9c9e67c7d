package dev.penstock.testkit.raw;

import dev.penstock.testkit.RawHttp.Ending;
import dev.penstock.testkit.RawHttp.Response;
import dev.penstock.testkit.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What came back on one connection so far.
 *
 * @param raw every byte
 * @param arrivals when the bytes came, in order
 * @param ending OPEN, FIN or RST
 * @param endedNanos when it ended, or -1
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
public record Received(byte[] raw, List<Arrival> arrivals, Ending ending, long endedNanos) {
    /** The bytes before {@code end} that were not there before, and when. */
    public record Arrival(int end, long atNanos) {}

    public String text() {
        return new String(raw, StandardCharsets.ISO_8859_1);
    }

    /** All, interim ones included; the last may be incomplete. */
    public List<Response> responses() {
        return WireText.responses(raw, ending);
    }

    /** The first that is not interim. */
    public Response answer() {
        for (Response response : responses()) if (response.status() >= 200) return response;
        throw new AssertionError("no answer, " + ending + ", in " + text());
    }

    public List<Integer> statuses() {
        return responses().stream().map(Response::status).toList();
    }

    public byte[] body() {
        return answer().body();
    }

    public String bodyText() {
        return answer().bodyText();
    }

    /** Of the de-chunked body. */
    public String sha256() {
        return Sha256.hex(body());
    }

    /** When the first {@code count} bytes were all there, or -1. */
    public long arrivedNanos(int count) {
        for (Arrival arrival : arrivals) if (arrival.end() >= count) return arrival.atNanos();
        return -1;
    }

    /** When everything up to and with this text was there, or -1. */
    public long arrivedNanos(String text) {
        int at = text().indexOf(text);
        return at < 0 ? -1 : arrivedNanos(at + text.length());
    }
}
