package dev.penstock.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A loopback server for tests: each connection is given to a handler on its own thread and closed after it. */
public final class SocketServer implements AutoCloseable {
    /** What is done with one connection. */
    @FunctionalInterface
    public interface Handler {
        void handle(Socket socket) throws Exception;
    }

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

    private SocketServer(Handler handler) throws IOException {
        Thread.ofVirtual().start(() -> {
            try {
                while (true) {
                    Socket socket = listener.accept();
                    sockets.add(socket);
                    Thread.ofVirtual().start(() -> serve(socket, handler));
                }
            } catch (IOException closed) {
                // the end of the test
            }
        });
    }

    public static SocketServer start(Handler handler) throws IOException {
        return new SocketServer(handler);
    }

    public static SocketServer echo() throws IOException {
        return start(socket -> socket.getInputStream().transferTo(socket.getOutputStream()));
    }

    public int port() {
        return listener.getLocalPort();
    }

    /** Connections whose handler has not ended. */
    public int connections() {
        return sockets.size();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : sockets) socket.close();
    }

    private void serve(Socket socket, Handler handler) {
        try (socket) {
            handler.handle(socket);
        } catch (Exception ended) {
            // a reset or the end of the test
        } finally {
            sockets.remove(socket);
        }
    }
}
