package dev.penstock.router.cases;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** A form as bytes, part after part. */
final class Form {
    static final String BOUNDARY = "----penstock7b";
    static final String TYPE = "Content-Type: multipart/form-data; boundary=\"" + BOUNDARY + "\"";
    static final String TRANSCRIPTIONS = "/v1/audio/transcriptions";

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Form field(String name, String value) {
        text("--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n");
        return this;
    }

    Form file(String name, byte[] content) {
        text("--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"" + name
                + "\"; filename=\"speech \\\"1\\\".wav\"\r\nContent-Type: audio/wav\r\n\r\n");
        bytes.writeBytes(content);
        text("\r\n");
        return this;
    }

    byte[] unfinished() {
        return bytes.toByteArray();
    }

    byte[] bytes() {
        text("--" + BOUNDARY + "--\r\n");
        return bytes.toByteArray();
    }

    /** A whole request with these bytes as its body. */
    static byte[] post(byte[] form, String... headerLines) {
        String[] lines = new String[headerLines.length + 1];
        lines[0] = TYPE;
        System.arraycopy(headerLines, 0, lines, 1, headerLines.length);
        return Requests.post(TRANSCRIPTIONS, form, lines);
    }

    static byte[] head(String... headerLines) {
        String[] lines = new String[headerLines.length + 1];
        lines[0] = TYPE;
        System.arraycopy(headerLines, 0, lines, 1, headerLines.length);
        return Requests.head("POST " + TRANSCRIPTIONS, lines);
    }

    private void text(String text) {
        bytes.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
