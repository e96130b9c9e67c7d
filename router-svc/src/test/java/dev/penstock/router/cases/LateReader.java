package dev.penstock.router.cases;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;

/** An engine of one connection with a small window: it answers a head, and reads what follows when it is told to. */
final class LateReader implements AutoCloseable {
    private static final int WINDOW_BYTES = 4 << 10;

    private final ServerSocket listener = new ServerSocket();
    private final CountDownLatch told = new CountDownLatch(1);
    private final CompletableFuture<byte[]> rest = new CompletableFuture<>();
    private final UnaryOperator<String> answer;

    /** @param answer to a head, both as text */
    LateReader(UnaryOperator<String> answer) throws IOException {
        this.answer = answer;
        listener.setReceiveBufferSize(WINDOW_BYTES);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread.ofVirtual().start(this::serve);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Reads from here on. */
    CompletableFuture<byte[]> read() {
        told.countDown();
        return rest;
    }

    private void serve() {
        try (Socket socket = listener.accept()) {
            socket.setSoTimeout(10_000);
            String head = head(socket.getInputStream());
            socket.getOutputStream().write(answer.apply(head).getBytes(StandardCharsets.ISO_8859_1));
            told.await();
            rest.complete(socket.getInputStream().readAllBytes());
        } catch (IOException | InterruptedException broken) {
            rest.completeExceptionally(broken);
        }
    }

    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        String text = "";
        while (!text.endsWith("\r\n\r\n")) {
            int b = in.read();
            if (b < 0) throw new IOException("no head");
            head.write(b);
            text = head.toString(StandardCharsets.ISO_8859_1);
        }
        return text;
    }

    @Override
    public void close() {
        told.countDown();
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
