package dev.penstock.testkit.raw;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Requests off one connection, as they came. One thread uses it. */
final class RequestReader {
    /** The parts of a request that are on the wire. */
    record Parts(String line, List<String> headers, SeenBody body) {}

    private final InputStream in;
    private final byte[] buffer = new byte[64 * 1024];

    RequestReader(InputStream in) {
        this.in = in;
    }

    /** The next request, or null when the peer closed between two. */
    @Nullable
    Parts next() throws IOException {
        String line = line();
        if (line == null) return null;
        List<String> headers = new ArrayList<>();
        for (String header = some(line()); !header.isEmpty(); header = some(line())) headers.add(header);
        if (value(headers, "transfer-encoding").toLowerCase(Locale.ROOT).contains("chunked")) {
            return new Parts(line, headers, chunked());
        }
        String length = value(headers, "content-length");
        SeenBody.Builder body = new SeenBody.Builder();
        take(body, length.isEmpty() ? 0 : Integer.parseInt(length));
        return new Parts(line, headers, body.build());
    }

    private SeenBody chunked() throws IOException {
        SeenBody.Builder body = new SeenBody.Builder();
        while (true) {
            String head = some(line());
            int semicolon = head.indexOf(';');
            int size = Integer.parseInt(semicolon < 0 ? head : head.substring(0, semicolon), 16);
            if (size == 0) break;
            take(body, size);
            some(line());
        }
        while (!some(line()).isEmpty()) {}
        return body.build();
    }

    private void take(SeenBody.Builder body, int count) throws IOException {
        for (int left = count; left > 0; ) {
            int read = in.read(buffer, 0, Math.min(buffer.length, left));
            if (read < 0) throw new EOFException("body ended " + left + " bytes early");
            body.add(buffer, read);
            left -= read;
        }
    }

    private @Nullable String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                if (line.size() == 0) return null;
                throw new EOFException("request ended inside a line");
            }
            line.write(next);
        }
        String text = line.toString(StandardCharsets.ISO_8859_1);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }

    private static String some(@Nullable String line) throws IOException {
        if (line == null) throw new EOFException("request ended before its end");
        return line;
    }

    private static String value(List<String> headers, String name) {
        for (String header : headers) {
            int colon = header.indexOf(':');
            if (colon >= 0 && header.substring(0, colon).equalsIgnoreCase(name)) {
                return header.substring(colon + 1).strip();
            }
        }
        return "";
    }
}
