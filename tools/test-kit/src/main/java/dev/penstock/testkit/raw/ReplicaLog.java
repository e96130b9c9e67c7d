package dev.penstock.testkit.raw;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** What a {@link ScriptedReplica} saw. Written by its connections' threads, read by the test. */
public final class ReplicaLog {
    private final List<SeenRequest> requests = new CopyOnWriteArrayList<>();
    private final Map<Integer, Long> peerClosedNanos = new ConcurrentHashMap<>();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger mostRunning = new AtomicInteger();
    private final AtomicInteger cut = new AtomicInteger();

    /** Requests read whole, without those for {@code /health}, {@code /metrics} and {@code /v1/models}. */
    public List<SeenRequest> requests() {
        return List.copyOf(requests);
    }

    public int count() {
        return requests.size();
    }

    public SeenRequest last() {
        List<SeenRequest> seen = requests();
        if (seen.isEmpty()) throw new AssertionError("the replica saw no request");
        return seen.getLast();
    }

    /** When the peer closed a connection, or -1. */
    public long peerClosedNanos(int connection) {
        return peerClosedNanos.getOrDefault(connection, -1L);
    }

    /** Connections that the peer closed while a request was answered. */
    public int peerClosed() {
        return peerClosedNanos.size();
    }

    /** Requests being answered. */
    public int running() {
        return running.get();
    }

    /** The most that were answered at once. */
    public int mostRunning() {
        return mostRunning.get();
    }

    /** Requests of which only a part came. */
    public int cutRequests() {
        return cut.get();
    }

    void clear() {
        requests.clear();
        peerClosedNanos.clear();
        cut.set(0);
        mostRunning.set(running.get());
    }

    void began(SeenRequest request) {
        requests.add(request);
        mostRunning.accumulateAndGet(running.incrementAndGet(), Math::max);
    }

    void ended() {
        running.decrementAndGet();
    }

    void peerClosed(int connection) {
        peerClosedNanos.putIfAbsent(connection, System.nanoTime());
    }

    void cut() {
        cut.incrementAndGet();
    }
}
