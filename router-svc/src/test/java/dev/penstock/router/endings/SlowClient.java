package dev.penstock.router.endings;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;

/** A client with a small window that reads only when it is told to. One thread uses it. */
final class SlowClient implements AutoCloseable {
    private static final int WINDOW_BYTES = 4 * 1024;

    private final Socket socket = new Socket();

    SlowClient(int loopbackPort) throws IOException {
        socket.setReceiveBufferSize(WINDOW_BYTES);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), loopbackPort));
    }

    SlowClient send(byte[] request) throws IOException {
        socket.getOutputStream().write(request);
        return this;
    }

    /** Reads so many bytes, or fewer where the peer ends. */
    int read(int bytes) throws IOException {
        return socket.getInputStream().readNBytes(bytes).length;
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
