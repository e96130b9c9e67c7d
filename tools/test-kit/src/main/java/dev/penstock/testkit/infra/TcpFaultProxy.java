package dev.penstock.testkit.infra;

import dev.penstock.testkit.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A TCP relay on a fixed loopback port whose wire can be slowed, frozen, cut or unplugged while it runs. Blocking copies
 * on virtual threads: an idle connection costs nothing, a message one wake-up.
 *
 * <p>The verbs may be called by any thread and take effect before they return, but for the one chunk per direction that
 * may be on its way. Connections are added by the acceptor and removed by their own thread or a verb.
 */
public final class TcpFaultProxy implements AutoCloseable {
    private record Listener(ServerSocket socket, Thread acceptor) {}

    private final int port;
    private final FaultGate gate = new FaultGate();
    private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
    private volatile InetSocketAddress target;
    private @Nullable Listener listener;
    private boolean closed;

    private TcpFaultProxy(int port, InetSocketAddress target) {
        this.port = port;
        this.target = target;
    }

    /** Listens on 127.0.0.1:port (0 takes a free one and keeps it) and relays to the target. */
    public static TcpFaultProxy start(int portOrZero, String targetHost, int targetPort) {
        TcpFaultProxy proxy = new TcpFaultProxy(
                portOrZero == 0 ? FreePorts.one() : portOrZero, new InetSocketAddress(targetHost, targetPort));
        proxy.pass();
        return proxy;
    }

    public int port() {
        return port;
    }

    /** host:port to connect to. */
    public String address() {
        return "127.0.0.1:" + port;
    }

    /** Connections accepted and not ended. */
    public int connections() {
        return connections.size();
    }

    /** Relays at once; also ends a delay, a freeze and a refusal. */
    public synchronized void pass() {
        relay(0);
    }

    /** Relays each chunk this much later, in each direction. */
    public synchronized void delay(Duration each) {
        relay(each.toNanos());
    }

    /** Nothing passes, not even a FIN; connections stay, new ones are accepted and wait. */
    public synchronized void freeze() {
        listen();
        gate.set(new FaultGate.Frozen());
    }

    /** Closes the listener and every connection, as a process that ends. */
    public synchronized void refuse() {
        stopListening();
        endAll(false);
        gate.set(new FaultGate.Relaying(0));
    }

    /** Resets the present connections; new ones are treated as before. */
    public synchronized void dropAll() {
        endAll(true);
    }

    /** Where new connections go, those that wait on a frozen wire included; others stay until {@link #dropAll()}. */
    public void retarget(String host, int targetPort) {
        target = new InetSocketAddress(host, targetPort);
    }

    @Override
    public synchronized void close() {
        closed = true;
        stopListening();
        endAll(false);
    }

    private void relay(long delayNanos) {
        listen();
        gate.set(new FaultGate.Relaying(delayNanos));
    }

    private void listen() {
        if (closed) throw new IllegalStateException("the proxy on port " + port + " is closed");
        if (listener != null) return;
        try {
            ServerSocket socket = new ServerSocket();
            try {
                socket.setReuseAddress(true);
                socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 512);
            } catch (IOException e) {
                socket.close();
                throw e;
            }
            listener = new Listener(
                    socket, Thread.ofVirtual().name("fault-proxy-" + port).start(() -> acceptFrom(socket)));
        } catch (IOException e) {
            throw new UncheckedIOException("the proxy cannot listen on 127.0.0.1:" + port, e);
        }
    }

    private void acceptFrom(ServerSocket socket) {
        while (!socket.isClosed()) {
            try {
                admit(socket.accept());
            } catch (IOException e) {
                // closed by a verb, or the client left between its connect and the accept
            }
        }
    }

    private void admit(Socket client) {
        ProxiedConnection connection = new ProxiedConnection(client, gate);
        connections.add(connection);
        Thread.ofVirtual().start(() -> serve(connection));
    }

    private void serve(ProxiedConnection connection) {
        try {
            connection.run(() -> target);
        } finally {
            connections.remove(connection);
        }
    }

    /**
     * Waits for the acceptor: the kernel goes on accepting until it has left its accept, and what it accepted last is among
     * the connections by then.
     */
    private void stopListening() {
        if (listener == null) return;
        try {
            listener.socket().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        joinUninterruptibly(listener.acceptor());
        listener = null;
    }

    private static void joinUninterruptibly(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) Thread.currentThread().interrupt();
    }

    private void endAll(boolean reset) {
        connections.removeIf(connection -> {
            connection.end(reset);
            return true;
        });
    }
}
