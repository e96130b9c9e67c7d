package dev.penstock.router.cases;

import dev.penstock.testkit.raw.ScriptedReplica;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/**
 * A listener whose backlog is full and who accepts nobody: the kernel drops further connects without a word, so they hang
 * until their time is over.
 */
final class FullListener implements AutoCloseable {
    private static final int HANGS_MILLIS = 50;
    private static final int MOST = 64;

    private final ServerSocket listener = new ServerSocket();
    private final List<Socket> waiting = new ArrayList<>();

    private FullListener(int port) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        listener.setReuseAddress(true);
        listener.bind(address, 1);
        while (waiting.size() < MOST && connects(address)) {}
        if (waiting.size() == MOST) throw new IOException("a backlog of 1 took " + MOST + " connections");
    }

    /** Listens where the replica did. */
    static FullListener takeOver(ScriptedReplica replica) throws IOException {
        replica.die();
        return new FullListener(replica.port());
    }

    private boolean connects(InetSocketAddress address) throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(address, HANGS_MILLIS);
            waiting.add(socket);
            return true;
        } catch (SocketTimeoutException full) {
            socket.close();
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Socket socket : waiting) socket.close();
    }
}
