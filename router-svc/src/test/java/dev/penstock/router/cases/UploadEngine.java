package dev.penstock.router.cases;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An engine that looks at an upload while it comes: reads no byte of a body before it may, and may answer before the end. A
 * virtual thread per connection.
 */
final class UploadEngine implements AutoCloseable {
    private final ServerSocket listener;
    private final CountDownLatch reads;
    private final long answersAfter;
    private final AtomicInteger heads = new AtomicInteger();
    private final AtomicInteger cut = new AtomicInteger();
    private final AtomicLong bodyBytes = new AtomicLong();
    private volatile String sha256 = "";

    private UploadEngine(CountDownLatch reads, long answersAfter) throws IOException {
        this.reads = reads;
        this.answersAfter = answersAfter;
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    /** Reads bodies once {@code reads} is counted down, and answers what it read. */
    static UploadEngine patient(CountDownLatch reads) throws IOException {
        return new UploadEngine(reads, Long.MAX_VALUE);
    }

    /** Answers 413 after so many bytes of a body, and reads no more. */
    static UploadEngine refusing(long answersAfter) throws IOException {
        return new UploadEngine(new CountDownLatch(0), answersAfter);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Requests whose head came. */
    int heads() {
        return heads.get();
    }

    /** Connections that ended before their body did. */
    int cut() {
        return cut.get();
    }

    long bodyBytes() {
        return bodyBytes.get();
    }

    /** Of the last whole body. */
    String sha256() {
        return sha256;
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException closed) {
            // over
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = socket.getInputStream();
            for (String head = head(in); !head.isEmpty(); head = head(in)) {
                heads.incrementAndGet();
                reads.await();
                if (!body(socket, in, length(head))) return;
            }
        } catch (IOException | InterruptedException gone) {
            cut.incrementAndGet();
        }
    }

    /** False when it was not read to its end. */
    private boolean body(Socket socket, InputStream in, long length) throws IOException {
        MessageDigest digest = sha256Digest();
        byte[] buffer = new byte[64 << 10];
        for (long left = length; left > 0; ) {
            int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
            if (read < 0) throw new IOException("cut");
            digest.update(buffer, 0, read);
            left -= read;
            bodyBytes.addAndGet(read);
            if (length - left >= answersAfter) {
                answer(socket, "413 Too Large", "{\"error\":{\"message\":\"enough\"}}");
                // Until the router gives it up.
                while (in.read(buffer) >= 0) {}
                throw new IOException("cut");
            }
        }
        sha256 = HexFormat.of().formatHex(digest.digest());
        answer(socket, "200 OK", "{\"text\":\"heard\"}");
        return true;
    }

    private static MessageDigest sha256Digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    private static void answer(Socket socket, String status, String json) throws IOException {
        String head = "HTTP/1.1 " + status + "\r\nContent-Type: application/json\r\nContent-Length: " + json.length();
        socket.getOutputStream().write((head + "\r\n\r\n" + json).getBytes(StandardCharsets.US_ASCII));
    }

    private static long length(String head) {
        for (String line : head.split("\r\n", -1)) {
            if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
                return Long.parseLong(line.substring(15).strip());
            }
        }
        throw new IllegalStateException("expected a length in " + head);
    }

    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) return "";
            head.write(next);
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }
}
