package dev.penstock.router.endings;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** A client with a small window that reads only when it is told to. One thread uses it. */
final class SlowClient implements AutoCloseable {
    private static final int WINDOW_BYTES = 4 * 1024;
    private static final int PATIENCE_MILLIS = 5_000;

    /** Of an answer: its last event and its last chunk. */
    private static final int TAIL = 21;

    private final Socket socket = new Socket();

    SlowClient(int loopbackPort) throws IOException {
        socket.setReceiveBufferSize(WINDOW_BYTES);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), loopbackPort));
    }

    SlowClient send(byte[] request) throws IOException {
        socket.getOutputStream().write(request);
        return this;
    }

    /** Reads so many bytes, or fewer where no more come. */
    void read(int bytes) throws IOException {
        socket.setSoTimeout(PATIENCE_MILLIS);
        try {
            socket.getInputStream().readNBytes(bytes);
        } catch (SocketTimeoutException noMore) {
            // an answer that is shorter
        }
    }

    /** Reads up to the last chunk or the end, and gives the end of it. */
    String readToLastChunk() throws IOException {
        socket.setSoTimeout(PATIENCE_MILLIS);
        StringBuilder tail = new StringBuilder();
        byte[] buffer = new byte[64 * 1024];
        for (int count = socket.getInputStream().read(buffer);
                count >= 0;
                count = socket.getInputStream().read(buffer)) {
            tail.append(new String(buffer, 0, count, StandardCharsets.ISO_8859_1));
            if (tail.length() > TAIL) tail.delete(0, tail.length() - TAIL);
            if (tail.toString().endsWith("\r\n0\r\n\r\n")) break;
        }
        return tail.toString();
    }

    /** Reads what is there, and tells whether the peer has ended the connection. */
    boolean ended() {
        try {
            socket.setSoTimeout(20);
            byte[] buffer = new byte[64 * 1024];
            while (socket.getInputStream().read(buffer) >= 0) {
                // what was on its way
            }
            return true;
        } catch (SocketTimeoutException open) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
