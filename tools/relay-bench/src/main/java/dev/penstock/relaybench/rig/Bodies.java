package dev.penstock.relaybench.rig;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Chat requests as bytes, head included. */
public final class Bodies {
    public static final String MODEL = "bench/llama-3-8b";

    /** Names the client's socket, so that an engine knows whose stream it writes. */
    private static final String USER = "\"user\":\"u";

    private static final int USER_DIGITS = 5;
    private static final byte[] USER_BYTES = USER.getBytes(StandardCharsets.US_ASCII);

    private static final byte[] STREAM_BYTES = "\"stream\":true".getBytes(StandardCharsets.US_ASCII);

    /** A text this long is no prompt any more; what is longer is an image. */
    private static final int MOST_TEXT = 1 << 20;

    private Bodies() {}

    /** A direct buffer, to be duplicated and not changed. */
    static ByteBuffer request(int client, int bodyBytes, boolean stream) {
        byte[] body = body(client, bodyBytes, stream);
        String head = "POST /v1/chat/completions HTTP/1.1\r\nhost: bench.local\r\nuser-agent: OpenAI/Python 1.99.1\r\n"
                + "accept: application/json\r\ncontent-type: application/json\r\n"
                + "authorization: Bearer sk-bench\r\ncontent-length: " + body.length + "\r\n\r\n";
        byte[] headBytes = head.getBytes(StandardCharsets.US_ASCII);
        ByteBuffer buffer = ByteBuffer.allocateDirect(headBytes.length + body.length);
        return buffer.put(headBytes).put(body).flip();
    }

    private static byte[] body(int client, int bytes, boolean stream) {
        String before = "{\"model\":\"" + MODEL + "\"," + USER + digits(client) + "\",\"stream\":" + stream
                + ",\"max_tokens\":256,\"temperature\":0.7,\"messages\":[{\"role\":\"system\",\"content\":"
                + "\"You are a helpful assistant.\"},{\"role\":\"user\",\"content\":";
        boolean image = bytes > MOST_TEXT;
        String open = image ? "[{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/png;base64," : "\"";
        String close = image ? "\"}}]}]}" : "\"}]}";
        StringBuilder body = new StringBuilder(bytes).append(before).append(open);
        String filler = image ? "iVBORw0KGgoAAAANSUhEUgAA" : "Explain how a penstock feeds a turbine, briefly. ";
        while (body.length() < bytes - close.length()) {
            body.append(filler, 0, Math.min(filler.length(), bytes - close.length() - body.length()));
        }
        return body.append(close).toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static String digits(int client) {
        String digits = Integer.toString(client);
        return "0".repeat(USER_DIGITS - digits.length()) + digits;
    }

    /** Whose request it is, or -1 when the bytes do not say. */
    static int client(byte[] bytes, int length) {
        int at = indexOf(USER_BYTES, bytes, length - USER_DIGITS);
        if (at < 0) return -1;
        int number = 0;
        int start = at + USER_BYTES.length;
        for (int i = start; i < start + USER_DIGITS; i++) number = number * 10 + bytes[i] - '0';
        return number;
    }

    static boolean streams(byte[] bytes, int length) {
        return indexOf(STREAM_BYTES, bytes, length) >= 0;
    }

    private static int indexOf(byte[] wanted, byte[] bytes, int length) {
        for (int i = 0; i <= length - wanted.length; i++) {
            int same = 0;
            while (same < wanted.length && bytes[i + same] == wanted[same]) same++;
            if (same == wanted.length) return i;
        }
        return -1;
    }
}
