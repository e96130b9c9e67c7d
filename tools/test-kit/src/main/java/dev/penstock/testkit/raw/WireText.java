package dev.penstock.testkit.raw;

import dev.penstock.testkit.RawHttp.Ending;
import dev.penstock.testkit.RawHttp.HeaderLine;
import dev.penstock.testkit.RawHttp.Response;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Responses within bytes that came, one after the other; the last may be incomplete. */
final class WireText {
    private final byte[] bytes;
    private final String text;
    private final Ending ending;
    private int at;

    private WireText(byte[] bytes, Ending ending) {
        this.bytes = bytes;
        this.text = new String(bytes, StandardCharsets.ISO_8859_1);
        this.ending = ending;
    }

    /** @param ending how the connection stands: FIN completes a response without framing */
    static List<Response> responses(byte[] bytes, Ending ending) {
        WireText wire = new WireText(bytes, ending);
        List<Response> responses = new ArrayList<>();
        while (wire.at < bytes.length) responses.add(wire.next());
        return responses;
    }

    private Response next() {
        int start = at;
        int headEnd = text.indexOf("\r\n\r\n", start);
        if (headEnd < 0) {
            at = bytes.length;
            return response(start, text.substring(start).split("\r\n", 2)[0], List.of(), new byte[0], false);
        }
        String[] lines = text.substring(start, headEnd).split("\r\n", -1);
        List<HeaderLine> headers = headers(lines);
        at = headEnd + 4;
        if (bodiless(lines[0])) return response(start, lines[0], headers, new byte[0], true);
        if (value(headers, "transfer-encoding").toLowerCase(Locale.ROOT).contains("chunked")) {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            boolean complete = chunks(body);
            return response(start, lines[0], headers, body.toByteArray(), complete);
        }
        String length = value(headers, "content-length");
        if (!length.isEmpty()) {
            int size = Integer.parseInt(length);
            byte[] body = taken(size);
            return response(start, lines[0], headers, body, body.length == size);
        }
        return response(start, lines[0], headers, taken(bytes.length - at), ending == Ending.FIN);
    }

    /** True when the last chunk and the trailer's blank line are there. */
    private boolean chunks(ByteArrayOutputStream body) {
        while (true) {
            String head = line();
            if (head == null) return false;
            int size = Integer.parseInt(head.split(";", 2)[0].strip(), 16);
            if (size == 0) break;
            byte[] chunk = taken(size);
            body.writeBytes(chunk);
            if (chunk.length < size || line() == null) return false;
        }
        for (String trailer = line(); trailer != null; trailer = line()) {
            if (trailer.isEmpty()) return true;
        }
        return false;
    }

    private @Nullable String line() {
        int end = text.indexOf("\r\n", at);
        if (end < 0) {
            at = bytes.length;
            return null;
        }
        String line = text.substring(at, end);
        at = end + 2;
        return line;
    }

    private byte[] taken(int count) {
        byte[] taken = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + count));
        at += taken.length;
        return taken;
    }

    private Response response(int start, String line, List<HeaderLine> headers, byte[] body, boolean complete) {
        return new Response(line, headers, body, Arrays.copyOfRange(bytes, start, at), complete, ending);
    }

    private static boolean bodiless(String statusLine) {
        String[] words = statusLine.split(" ", 3);
        return words.length > 1 && (words[1].startsWith("1") || words[1].equals("204") || words[1].equals("304"));
    }

    private static List<HeaderLine> headers(String[] lines) {
        List<HeaderLine> headers = new ArrayList<>();
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            if (colon < 0) headers.add(new HeaderLine(lines[i], ""));
            else
                headers.add(new HeaderLine(
                        lines[i].substring(0, colon),
                        lines[i].substring(colon + 1).strip()));
        }
        return List.copyOf(headers);
    }

    private static String value(List<HeaderLine> headers, String name) {
        for (HeaderLine header : headers) if (header.name().equalsIgnoreCase(name)) return header.value();
        return "";
    }
}
