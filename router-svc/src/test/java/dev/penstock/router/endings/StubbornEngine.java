package dev.penstock.router.endings;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An engine that does not read more than a request's head and never closes, whatever its peer does. It sends what it is told to,
 * and a filling after it for as long as somebody takes it. A thread per connection.
 */
final class StubbornEngine implements AutoCloseable {
    private static final int WINDOW_BYTES = 16 * 1024;

    private final ServerSocket listener = new ServerSocket();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger heads = new AtomicInteger();
    private final AtomicLong filled = new AtomicLong();
    private final byte[] words;
    private final byte[] filling;
    private final boolean resets;

    private StubbornEngine(String words, String filling, boolean resets) throws IOException {
        this.words = words.getBytes(StandardCharsets.UTF_8);
        this.filling = filling.getBytes(StandardCharsets.UTF_8);
        this.resets = resets;
        listener.setReceiveBufferSize(WINDOW_BYTES);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
        Thread.ofVirtual().start(this::accept);
    }

    /** @param words sent once, as they are */
    static StubbornEngine saying(String words) {
        return start(words, "", false);
    }

    /** Sends these without an end, as fast as they are taken. */
    static StubbornEngine flooding(String words, String filling) {
        return start(words, filling, false);
    }

    /** Resets once it has read a head. */
    static StubbornEngine resetting() {
        return start("", "", true);
    }

    private static StubbornEngine start(String words, String filling, boolean resets) {
        try {
            return new StubbornEngine(words, filling, resets);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Requests whose head came. */
    int heads() {
        return heads.get();
    }

    /** Bytes of the filling that were taken. */
    long filled() {
        return filled.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException closed) {
            // the test is over
        }
    }

    private void serve(Socket socket) {
        try {
            readHead(socket.getInputStream());
            heads.incrementAndGet();
            if (resets) {
                socket.setSoLinger(true, 0);
                socket.close();
                return;
            }
            socket.getOutputStream().write(words);
            while (filling.length > 0) {
                socket.getOutputStream().write(filling);
                filled.addAndGet(filling.length);
            }
        } catch (IOException gone) {
            // its peer does not wait
        }
    }

    /** True when its peer has ended all connections: reads what came of them, which it does not do before. */
    boolean left() {
        return open.stream().allMatch(StubbornEngine::ended);
    }

    private static boolean ended(Socket socket) {
        byte[] buffer = new byte[64 * 1024];
        try {
            socket.setSoTimeout(1);
            while (socket.getInputStream().read(buffer) >= 0) {
                // what was on its way
            }
            return true;
        } catch (SocketTimeoutException silent) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    private static void readHead(InputStream in) throws IOException {
        int matched = 0;
        while (matched < 4) {
            int b = in.read();
            if (b < 0) throw new IOException("no head");
            boolean expected = b == (matched % 2 == 0 ? '\r' : '\n');
            matched = expected ? matched + 1 : b == '\r' ? 1 : 0;
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
            for (Socket socket : open) socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
