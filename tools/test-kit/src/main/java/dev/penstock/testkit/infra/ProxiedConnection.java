package dev.penstock.testkit.infra;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.function.Supplier;

/**
 * A client's connection and the one to the target, relayed by one virtual thread per direction. A FIN is passed on as a
 * half-close; a failure of either side resets both. Both sockets are closed on every ending.
 */
final class ProxiedConnection {
    private static final int CONNECT_MILLIS = 5_000;

    private final Socket client;
    private final Socket target = new Socket();
    private final FaultGate gate;
    private volatile boolean ended;

    ProxiedConnection(Socket client, FaultGate gate) {
        this.client = client;
        this.gate = gate;
    }

    /** Relays until both directions have ended; runs on the connection's own thread. */
    void run(Supplier<InetSocketAddress> address) {
        try {
            gate.awaitPassage(this::hasEnded);
            client.setTcpNoDelay(true);
            target.setTcpNoDelay(true);
            target.connect(address.get(), CONNECT_MILLIS);
            Thread back = Thread.ofVirtual().start(() -> relay(target, client));
            relay(client, target);
            back.join();
            end(false);
        } catch (IOException e) {
            end(true);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            end(true);
        }
    }

    /** Closes both sockets, with FIN or with RST; any thread, any number of times. */
    void end(boolean reset) {
        ended = true;
        close(client, reset);
        close(target, reset);
        gate.wakeAll();
    }

    private void relay(Socket from, Socket to) {
        try {
            new Relay(from, to, gate, this::hasEnded).run();
            to.shutdownOutput();
        } catch (IOException e) {
            abort();
        }
    }

    /** A frozen wire carries no RST either. */
    private void abort() {
        try {
            gate.awaitPassage(this::hasEnded);
        } catch (IOException alreadyEnded) {
            return;
        }
        end(true);
    }

    private boolean hasEnded() {
        return ended;
    }

    private static void close(Socket socket, boolean reset) {
        try (socket) {
            if (reset && !socket.isClosed()) socket.setSoLinger(true, 0);
        } catch (SocketException goneAlready) {
            // closed by the other direction in between
        } catch (IOException e) {
            // nothing is left to close
        }
    }
}
