package dev.penstock.enginesim;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** A form as clients send it. */
final class MultipartBody {
    static final String BOUNDARY = "penstock-7e57";
    static final String CONTENT_TYPE = "multipart/form-data; boundary=" + BOUNDARY;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    MultipartBody field(String name, String value) {
        text("--" + BOUNDARY + "\r\ncontent-disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n");
        return this;
    }

    MultipartBody file(String name, String filename, byte[] bytes) {
        text("--" + BOUNDARY + "\r\ncontent-disposition: form-data; name=\"" + name + "\"; filename=\"" + filename
                + "\"\r\ncontent-type: application/octet-stream\r\n\r\n");
        out.writeBytes(bytes);
        text("\r\n");
        return this;
    }

    byte[] bytes() {
        text("--" + BOUNDARY + "--\r\n");
        return out.toByteArray();
    }

    private void text(String text) {
        out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }
}
