package dev.penstock.relaybench.rig;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Clients and engines on one selector: a request costs it some 10 us, so that on a core of its own it keeps any contender
 * busy. Waits in whole milliseconds and spins through the rest, as a paced chunk that is late by a time slice would be
 * measured as somebody's latency. One thread; only {@link #ask} may be called by others.
 */
final class Rig {
    private static final int LISTEN_BACKLOG = 1_024;
    private static final long CHUNK_NANOS = 20_000_000;
    private static final long SPIN_NANOS = 1_500_000;
    private static final long MILLI = 1_000_000;
    private static final long DRAIN_NANOS = 5_000_000_000L;
    private static final long SEED = 5;

    final ByteBuffer scratch = ByteBuffer.allocateDirect(1 << 20);
    final Replies replies = new Replies();
    final Stats stats = new Stats();

    private final Selector selector;
    private final SplittableRandom random = new SplittableRandom(SEED);
    private final Queue<Runnable> asked = new ConcurrentLinkedQueue<>();
    private final List<ClientSocket> clients = new ArrayList<>();
    private final ArrayDeque<ClientSocket> idle = new ArrayDeque<>();
    private final ArrayDeque<ClientSocket> again = new ArrayDeque<>();
    private final ArrayDeque<Long> backlog = new ArrayDeque<>();
    private final PriorityQueue<EngineSocket> paced =
            new PriorityQueue<>(Comparator.comparingLong((EngineSocket each) -> each.dueNanos));
    private @Nullable EngineSocket[] writers = new EngineSocket[0];
    private @Nullable Load load;
    private @Nullable Runnable drained;
    private long drainDeadline;
    private long startedNanos;
    private long sent;
    private int busy;

    Rig() throws IOException {
        selector = Selector.open();
    }

    /** One engine per address 127.1.x.y, all on the port returned. */
    int listen(int engines) throws IOException {
        int port = 0;
        for (int i = 0; i < engines; i++) {
            ServerSocketChannel listener = ServerSocketChannel.open();
            listener.bind(new InetSocketAddress(address(i), port), LISTEN_BACKLOG);
            port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
            listener.configureBlocking(false);
            listener.register(selector, SelectionKey.OP_ACCEPT, (Socket) () -> accept(listener));
        }
        return port;
    }

    private static InetAddress address(int engine) throws IOException {
        return InetAddress.getByName(Engines.host(engine));
    }

    private void accept(ServerSocketChannel listener) {
        try {
            SocketChannel accepted = listener.accept();
            if (accepted != null) new EngineSocket(this, selector, accepted);
        } catch (IOException gone) {
            // It left before it was accepted: nobody waits for an answer.
            return;
        }
    }

    /** Runs on the rig's thread, soon. */
    void ask(Runnable what) {
        asked.add(what);
        selector.wakeup();
    }

    void run() throws IOException {
        while (true) {
            long wait = nextDue() - System.nanoTime();
            if (wait > SPIN_NANOS) selector.select(Rig::ready, (wait - MILLI / 2) / MILLI);
            else selector.selectNow(Rig::ready);
            for (Runnable next = asked.poll(); next != null; next = asked.poll()) next.run();
            sendAgain();
            long now = System.nanoTime();
            sendDue(now);
            writeDue(now);
            if (drained != null && (busy == 0 || now - drainDeadline > 0)) endLoad(drained);
        }
    }

    private static void ready(SelectionKey key) {
        if (key.attachment() instanceof Socket socket) socket.ready();
    }

    private void sendAgain() {
        for (int waiting = again.size(); waiting > 0; waiting--) {
            ClientSocket client = again.remove();
            if (load != null && drained == null) closedLoop(client, load);
        }
    }

    private long nextDue() {
        if (!again.isEmpty()) return System.nanoTime();
        long due = System.nanoTime() + 1_000 * MILLI;
        if (drained != null) due = System.nanoTime() + 2 * MILLI;
        if (load != null && load.ratePerSecond() > 0 && drained == null && !enough(load)) {
            due = Math.min(due, schedule(load));
        }
        EngineSocket first = paced.peek();
        return first == null ? due : Math.min(due, first.dueNanos);
    }

    private long schedule(Load open) {
        return startedNanos + sent * 1_000 * MILLI / open.ratePerSecond();
    }

    private boolean enough(Load of) {
        return of.most() > 0 && sent >= of.most();
    }

    private void sendDue(long now) {
        Load open = load;
        if (open == null || open.ratePerSecond() == 0 || drained != null) return;
        while (!enough(open) && schedule(open) - now <= 0) {
            long scheduled = schedule(open);
            ClientSocket client = idle.poll();
            sent++;
            if (client == null) backlog.add(scheduled);
            else send(client, open, scheduled);
        }
    }

    private void writeDue(long now) {
        for (EngineSocket next = paced.peek(); next != null && next.dueNanos - now <= 0; next = paced.peek()) {
            paced.poll();
            next.dueNanos += CHUNK_NANOS;
            if (next.writeChunk()) paced.add(next);
        }
    }

    private void send(ClientSocket client, Load as, long scheduled) {
        busy++;
        boolean abandon = as.faultShare() > 0 && draw() < as.faultShare() / 3;
        client.send(scheduled, as.answer().streams((int) sent), abandon);
    }

    void begin(Load next) {
        stats.clear();
        clients.clear();
        idle.clear();
        writers = new EngineSocket[next.connections()];
        for (int i = 0; i < next.connections(); i++) clients.add(new ClientSocket(this, selector, next, i));
        load = next;
        sent = 0;
        busy = 0;
        startedNanos = System.nanoTime();
        if (next.ratePerSecond() > 0) idle.addAll(clients);
        else for (ClientSocket client : clients) closedLoop(client, next);
    }

    private void closedLoop(ClientSocket client, Load closed) {
        if (enough(closed)) return;
        sent++;
        send(client, closed, System.nanoTime());
    }

    /** Called by a client that is free again. */
    void done(ClientSocket client) {
        busy--;
        Load now = load;
        if (now == null || drained != null) return;
        if (now.ratePerSecond() == 0) {
            // Not at once: a contender that refuses would be asked deeper and deeper.
            again.add(client);
            return;
        }
        Long waiting = backlog.poll();
        if (waiting == null) idle.add(client);
        else send(client, now, waiting);
    }

    /** Sends no more, and tells when all is answered or 5 s have passed. */
    void end(Runnable then) {
        drained = then;
        drainDeadline = System.nanoTime() + DRAIN_NANOS;
        backlog.clear();
        again.clear();
    }

    private void endLoad(Runnable then) {
        clients.forEach(ClientSocket::close);
        paced.clear();
        load = null;
        drained = null;
        then.run();
    }

    @Nullable
    Load load() {
        return load;
    }

    double draw() {
        return random.nextDouble();
    }

    void streamBegan(EngineSocket writer, int client) {
        Load now = load;
        if (now == null || client < 0 || client >= writers.length) return;
        writers[client] = writer;
        if (now.answer() == Answer.PACED) {
            writer.dueNanos = System.nanoTime() + CHUNK_NANOS;
            paced.add(writer);
        }
        writer.writeChunk();
    }

    void streamEnded(EngineSocket writer, int client) {
        if (client >= 0 && client < writers.length && writers[client] == writer) writers[client] = null;
        paced.remove(writer);
    }

    /** A client has events: its engine may write as many more. */
    void received(int client, int events) {
        EngineSocket writer = writers[client];
        Load now = load;
        if (writer == null || now == null || now.answer() == Answer.PACED) return;
        for (int i = 0; i < events; i++) writer.writeChunk();
    }

    static void closeQuietly(Channel channel) {
        try {
            channel.close();
        } catch (IOException gone) {
            // It is as closed as it can be.
            return;
        }
    }
}
