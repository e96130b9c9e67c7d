package dev.penstock.system;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** A form as bytes, part after part in the order they are given. */
final class Form {
    private static final String BOUNDARY = "----penstock7b";

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Form field(String name, String value) {
        text("--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n");
        return this;
    }

    Form file(String name, byte[] content) {
        text("--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"" + name
                + "\"; filename=\"it.bin\"\r\nContent-Type: application/octet-stream\r\n\r\n");
        bytes.writeBytes(content);
        text("\r\n");
        return this;
    }

    byte[] bytes() {
        text("--" + BOUNDARY + "--\r\n");
        return bytes.toByteArray();
    }

    /** The head of a request that has such a form as its body. */
    static String head(String path, int formBytes) {
        return "POST " + path + " HTTP/1.1\r\nhost: penstock\r\ncontent-type: multipart/form-data; boundary=" + BOUNDARY
                + "\r\ncontent-length: " + formBytes + "\r\n\r\n";
    }

    private void text(String text) {
        bytes.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
