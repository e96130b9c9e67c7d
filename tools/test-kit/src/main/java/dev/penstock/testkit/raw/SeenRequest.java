package dev.penstock.testkit.raw;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A request as a {@link ScriptedReplica} read it, whole.
 *
 * @param line the request line without its line end
 * @param headers the header lines as they came, in their order
 * @param body its first 64 KiB, without its framing
 * @param length of the whole body
 * @param sha256 of the whole body
 * @param connection which of the replica's connections, from 1
 * @param turn how many requests came before it since the script was set
 * @param turnOnConnection how many requests came before it on its connection
 * @param atNanos when its last byte was read, by {@link System#nanoTime()}
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
public record SeenRequest(
        String line,
        List<String> headers,
        byte[] body,
        long length,
        String sha256,
        int connection,
        int turn,
        int turnOnConnection,
        long atNanos) {
    /** As sent: path and query, unparsed. */
    public String target() {
        String[] parts = line.split(" ", -1);
        return parts.length > 1 ? parts[1] : "";
    }

    /** Every value of a header, in the order they came. */
    public List<String> values(String name) {
        List<String> values = new ArrayList<>();
        for (String header : headers) {
            int colon = header.indexOf(':');
            if (colon >= 0 && header.substring(0, colon).equalsIgnoreCase(name)) {
                values.add(header.substring(colon + 1).strip());
            }
        }
        return values;
    }

    public boolean has(String name) {
        return !values(name).isEmpty();
    }

    public String bodyText() {
        return new String(body, StandardCharsets.UTF_8);
    }
}
