package dev.penstock.testkit.infra;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** One inline command over a raw socket, one line back. */
final class RedisPing implements AutoCloseable {
    private final Socket socket;

    RedisPing(String url) throws IOException {
        URI uri = URI.create(url);
        socket = new Socket(InetAddress.getByName(uri.getHost()), uri.getPort());
        socket.setSoTimeout(10_000);
    }

    /** The answer's first line, or an empty one when the server has gone. */
    String ask(String command) throws IOException {
        socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
        StringBuilder line = new StringBuilder();
        int next;
        while ((next = socket.getInputStream().read()) >= 0 && next != '\n') line.append((char) next);
        return line.toString().strip();
    }

    void timeout(int millis) throws IOException {
        socket.setSoTimeout(millis);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
