package dev.penstock.testkit.raw;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A connection whose owner notices during its waits that the peer is gone: it looks each {@value #LOOK_MILLIS} ms for a
 * byte, and keeps the one it finds for the next read. One thread uses it.
 */
final class WatchedSocket {
    /** The peer closed or reset the connection. */
    static final class PeerGoneException extends IOException {
        PeerGoneException(String how) {
            super(how);
        }
    }

    private static final int LOOK_MILLIS = 5;

    private final Socket socket;
    private final BufferedInputStream in;

    WatchedSocket(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream(), 64 * 1024);
        socket.setTcpNoDelay(true);
    }

    InputStream in() {
        return in;
    }

    void send(byte[] bytes) throws IOException {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException e) {
            throw new PeerGoneException(e.toString());
        }
    }

    void pause(Duration time) throws IOException {
        long start = System.nanoTime();
        for (long left = time.toMillis(); left > 0; left = time.toMillis() - (System.nanoTime() - start) / 1_000_000) {
            look((int) Math.min(LOOK_MILLIS, left));
        }
    }

    void pauseUntil(CountDownLatch latch) throws IOException {
        while (latch.getCount() > 0) look(LOOK_MILLIS);
    }

    void pauseUntilPeerCloses() throws IOException {
        while (true) look(LOOK_MILLIS);
    }

    void fin() throws IOException {
        socket.close();
    }

    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    /** A byte that is there already is a pipelined request: then only time passes. */
    private void look(int millis) throws IOException {
        if (in.available() > 0) {
            pass(millis);
            return;
        }
        socket.setSoTimeout(millis);
        in.mark(1);
        try {
            if (in.read() < 0) throw new PeerGoneException("fin");
            in.reset();
        } catch (SocketTimeoutException nothing) {
            // the peer is there and silent
        } catch (PeerGoneException fin) {
            throw fin;
        } catch (IOException e) {
            throw new PeerGoneException(e.toString());
        } finally {
            if (!socket.isClosed()) socket.setSoTimeout(0);
        }
    }

    private static void pass(int millis) throws IOException {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
