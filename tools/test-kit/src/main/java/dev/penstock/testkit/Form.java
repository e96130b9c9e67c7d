package dev.penstock.testkit;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** A form as bytes, part after part in the order they are given. Its files have names that a careless reader ends too early. */
public final class Form {
    private static final String BOUNDARY = "----penstock7b";

    /** The header line of a request whose body is such a form. */
    public static final String TYPE = "Content-Type: multipart/form-data; boundary=\"" + BOUNDARY + "\"";

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    public Form field(String name, String value) {
        text("--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n");
        return this;
    }

    public Form file(String name, byte[] content) {
        text("--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"" + name
                + "\"; filename=\"speech \\\"1\\\".wav\"\r\nContent-Type: audio/wav\r\n\r\n");
        bytes.writeBytes(content);
        text("\r\n");
        return this;
    }

    /** All parts so far, and no end. */
    public byte[] unfinished() {
        return bytes.toByteArray();
    }

    /** The whole of it. */
    public byte[] bytes() {
        text("--" + BOUNDARY + "--\r\n");
        return bytes.toByteArray();
    }

    private void text(String text) {
        bytes.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
