package dev.penstock.testkit.raw;

import dev.penstock.testkit.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A replica on a plain socket that does with each request what its {@link Script} says, to the byte. It answers
 * {@code /health}, {@code /metrics} (a counter that moves with each reading) and {@code /v1/models} by itself, and listens
 * on one port for its whole life, with pauses when told. A virtual thread per connection; any thread may call.
 */
public final class ScriptedReplica implements AutoCloseable {
    private record Listener(ServerSocket socket, Thread acceptor) {}

    private final String model;
    private final int port = FreePorts.one();
    private final ReplicaLog log = new ReplicaLog();
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger turns = new AtomicInteger();
    private final AtomicLong tokens = new AtomicLong();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile Script script;
    private @Nullable Listener listener;

    private ScriptedReplica(String model, Script script) {
        this.model = model;
        this.script = script;
        listen();
    }

    public static ScriptedReplica start(String model, Plan plan) {
        return new ScriptedReplica(model, Script.always(plan));
    }

    public int port() {
        return port;
    }

    public ReplicaLog log() {
        return log;
    }

    public int openConnections() {
        return open.size();
    }

    /** Connections ever accepted. */
    public int connections() {
        return accepted.get();
    }

    public void plan(Plan plan) {
        script(Script.always(plan));
    }

    /** From the next request on; turns count from 0 again. */
    public void script(Script next) {
        turns.set(0);
        script = next;
    }

    /** A plan from here on, and nothing remembered. */
    public void restart(Plan plan) {
        log.clear();
        plan(plan);
    }

    /** Connects are refused and open connections reset, as by a process that died. */
    public synchronized void die() {
        refuse();
        for (Socket socket : open) reset(socket);
    }

    /** Connects are refused; open connections go on. */
    public synchronized void refuse() {
        if (listener == null) return;
        try {
            listener.socket().close();
            listener.acceptor().join();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
        listener = null;
    }

    /** Listens on its port, again where it refused. */
    public synchronized void listen() {
        if (listener != null) return;
        try {
            ServerSocket socket = new ServerSocket();
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1024);
            listener = new Listener(socket, Thread.ofVirtual().start(() -> acceptFrom(socket)));
        } catch (IOException e) {
            throw new UncheckedIOException("port " + port, e);
        }
    }

    @Override
    public void close() {
        die();
    }

    private void acceptFrom(ServerSocket from) {
        try {
            while (true) {
                Socket socket = from.accept();
                open.add(socket);
                int connection = accepted.incrementAndGet();
                Thread.ofVirtual().start(() -> serve(socket, connection));
            }
        } catch (IOException closed) {
            // told to refuse
        }
    }

    private void serve(Socket socket, int connection) {
        try (socket) {
            converse(socket, connection);
        } catch (IOException closed) {
            // by the other end
        } finally {
            open.remove(socket);
        }
    }

    /** What fails on a socket that was closed here is no news of the peer. */
    private void converse(Socket socket, int connection) {
        try {
            WatchedSocket watched = new WatchedSocket(socket);
            RequestReader reader = new RequestReader(watched.in());
            int turnOnConnection = 0;
            for (var parts = reader.next(); parts != null; parts = reader.next()) {
                Plan own = ownAnswer(parts);
                if (own == null) answer(seen(parts, connection, turnOnConnection++), watched);
                else run(own, watched);
            }
        } catch (WatchedSocket.PeerGoneException gone) {
            if (!socket.isClosed()) log.peerClosed(connection);
        } catch (IOException | NumberFormatException cut) {
            if (!socket.isClosed()) log.cut();
        }
    }

    private SeenRequest seen(RequestReader.Parts parts, int connection, int turnOnConnection) {
        return new SeenRequest(
                parts.line(),
                parts.headers(),
                parts.body().head(),
                parts.body().length(),
                parts.body().sha256(),
                connection,
                turns.getAndIncrement(),
                turnOnConnection,
                System.nanoTime());
    }

    private void answer(SeenRequest request, WatchedSocket watched) throws IOException {
        log.began(request);
        try {
            run(script.planFor(request), watched);
        } finally {
            log.ended();
        }
    }

    private static void run(Plan plan, WatchedSocket watched) throws IOException {
        for (Step step : plan.steps()) {
            switch (step) {
                case Step.Send send -> watched.send(send.bytes());
                case Step.Chunk chunk -> watched.send(framed(chunk.bytes()));
                case Step.Wait wait -> watched.pause(wait.time());
                case Step.Until until -> watched.pauseUntil(until.latch());
                case Step.Hold hold -> watched.pauseUntilPeerCloses();
                case Step.Fin fin -> watched.fin();
                case Step.Reset reset -> watched.reset();
            }
        }
    }

    /** One write, so that a chunk is one segment. */
    private static byte[] framed(byte[] bytes) {
        byte[] head = (Integer.toHexString(bytes.length) + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        byte[] framed = new byte[head.length + bytes.length + 2];
        System.arraycopy(head, 0, framed, 0, head.length);
        System.arraycopy(bytes, 0, framed, head.length, bytes.length);
        framed[framed.length - 2] = '\r';
        framed[framed.length - 1] = '\n';
        return framed;
    }

    private @Nullable Plan ownAnswer(RequestReader.Parts parts) {
        String[] words = parts.line().split(" ", -1);
        return switch (words.length > 1 ? words[1] : "") {
            case "/health" -> Plan.answer(200, "text/plain", "");
            case "/metrics", "/metrics/" -> Plan.answer(200, "text/plain", metrics());
            case "/v1/models" ->
                words[0].equals("GET")
                        ? Plan.json(200, "{\"object\":\"list\",\"data\":[{\"id\":\"" + model + "\"}]}")
                        : null;
            default -> null;
        };
    }

    private String metrics() {
        String labels = "{engine=\"0\",model_name=\"" + model + "\"} ";
        return "vllm:num_requests_running" + labels + log.running() + "\n"
                + "vllm:num_requests_waiting" + labels + "0\n"
                + "vllm:kv_cache_usage_perc" + labels + "0.0\n"
                + "vllm:generation_tokens_total" + labels + tokens.incrementAndGet() + "\n";
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException closed) {
            // by its own thread
        }
    }
}
