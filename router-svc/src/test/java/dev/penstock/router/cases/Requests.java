package dev.penstock.router.cases;

import dev.penstock.testkit.Form;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;

/** Requests as bytes. */
public final class Requests {
    public static final String CHAT = "/v1/chat/completions";
    public static final String TRANSCRIPTIONS = "/v1/audio/transcriptions";

    private Requests() {}

    /** The usual streaming body for a model. */
    public static String body(String model) {
        return "{\"model\":\"" + model + "\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";
    }

    /** The usual body without a stream. */
    public static String plainBody(String model) {
        return "{\"model\":\"" + model + "\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";
    }

    /** The usual streaming request. */
    public static byte[] stream(Fleet fleet, String... headerLines) {
        return chat(body(fleet.model()), headerLines);
    }

    /** The usual request without a stream. */
    public static byte[] plain(Fleet fleet, String... headerLines) {
        return chat(plainBody(fleet.model()), headerLines);
    }

    public static byte[] chat(String body, String... headerLines) {
        return post(CHAT, body.getBytes(StandardCharsets.UTF_8), headerLines);
    }

    public static byte[] post(String target, byte[] body, String... headerLines) {
        return joined(head("POST " + target, withLength(body.length, headerLines)), body);
    }

    /** A transcription with these bytes of a form as its body. */
    static byte[] form(byte[] form, String... headerLines) {
        return post(TRANSCRIPTIONS, form, withType(headerLines));
    }

    /** The head of a transcription. */
    static byte[] formHead(String... headerLines) {
        return head("POST " + TRANSCRIPTIONS, withType(headerLines));
    }

    private static String[] withType(String... headerLines) {
        return Stream.concat(Stream.of(Form.TYPE), Arrays.stream(headerLines)).toArray(String[]::new);
    }

    /** A head with these header lines, a host and the type JSON. */
    public static byte[] head(String methodAndTarget, String... headerLines) {
        StringBuilder head = new StringBuilder(methodAndTarget).append(" HTTP/1.1\r\nHost: gw\r\n");
        boolean typed = Arrays.stream(headerLines).anyMatch(line -> line.startsWith("Content-Type"));
        if (!typed) head.append("Content-Type: application/json\r\n");
        for (String line : headerLines) head.append(line).append("\r\n");
        return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** As one chunk of a chunked body. */
    public static byte[] chunk(byte[] bytes) {
        byte[] head = (Integer.toHexString(bytes.length) + "\r\n").getBytes(StandardCharsets.US_ASCII);
        return joined(head, bytes, "\r\n".getBytes(StandardCharsets.US_ASCII));
    }

    public static byte[] joined(byte[]... parts) {
        byte[] joined =
                new byte[Arrays.stream(parts).mapToInt(part -> part.length).sum()];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, joined, at, part.length);
            at += part.length;
        }
        return joined;
    }

    private static String[] withLength(int length, String... headerLines) {
        String[] lines = Arrays.copyOf(headerLines, headerLines.length + 1);
        lines[headerLines.length] = "Content-Length: " + length;
        return lines;
    }
}
