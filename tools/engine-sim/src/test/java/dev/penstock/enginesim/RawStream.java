package dev.penstock.enginesim;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A streaming request over a bare socket, so that chunk framing and the end of the connection can be seen. */
final class RawStream implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;

    RawStream(EngineSim engine, String path, String json, String... headerLines) throws IOException {
        socket = new Socket("127.0.0.1", engine.port());
        socket.setSoTimeout(10_000);
        in = socket.getInputStream();
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        String more = headerLines.length == 0 ? "" : String.join("\r\n", headerLines) + "\r\n";
        String head = "POST " + path + " HTTP/1.1\r\nhost: engine\r\ncontent-type: application/json\r\n" + more
                + "content-length: " + body.length + "\r\n\r\n";
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().write(body);
    }

    /** Reads up to and with this text. */
    String readThrough(String end) throws IOException {
        StringBuilder read = new StringBuilder();
        while (!read.toString().endsWith(end)) {
            int next = in.read();
            if (next < 0) {
                throw new AssertionError("connection ended after: " + read);
            }
            read.append((char) next);
        }
        return read.toString();
    }

    /** As {@link #readThrough}, but the end of the connection is an answer, too. */
    String readThroughOrEnd(String end) throws IOException {
        StringBuilder read = new StringBuilder();
        while (!read.toString().endsWith(end)) {
            int next = in.read();
            if (next < 0) {
                break;
            }
            read.append((char) next);
        }
        return read.toString();
    }

    /** Everything until the peer closes; a reset counts as its end. */
    String readToEnd() throws IOException {
        StringBuilder read = new StringBuilder();
        try {
            for (int next = in.read(); next >= 0; next = in.read()) {
                read.append((char) next);
            }
        } catch (java.net.SocketException _) {
            // A reset.
        }
        return read.toString();
    }

    /** Says that nothing more will be sent, and goes on reading. */
    void halfClose() throws IOException {
        socket.shutdownOutput();
    }

    boolean silentFor(int millis) throws IOException {
        socket.setSoTimeout(millis);
        try {
            return in.read() < 0;
        } catch (java.net.SocketTimeoutException _) {
            return true;
        } finally {
            socket.setSoTimeout(10_000);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
