package dev.penstock.enginesim.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Which generation requests are open and how the others ended. Written by the engine's event loop, read by any thread;
 * its monitor guards everything.
 */
public final class RequestBook {
    private static final int CANCELLATIONS_KEPT = 1000;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final LongSupplier nanoClock;
    private final long startNanos;
    private final Map<Ending, Long> endings = new EnumMap<>(Ending.class);
    private final Deque<Cancellation> cancellations = new ArrayDeque<>();
    private int inflight;
    private int highWater;
    private long received;
    private long abortCalls;
    private long aborted;

    public RequestBook(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.startNanos = nanoClock.getAsLong();
        for (Ending ending : Ending.values()) {
            endings.put(ending, 0L);
        }
    }

    /** A request's head has arrived. @return when, on the book's clock */
    public synchronized long opened() {
        received++;
        inflight++;
        highWater = Math.max(highWater, inflight);
        return nanoClock.getAsLong();
    }

    /** Exactly once per {@link #opened}, and before the client can see the end of its answer. */
    public synchronized void ended(String id, Ending ending, long openedNanos, int generatedTokens) {
        inflight--;
        endings.merge(ending, 1L, Long::sum);
        if (ending == Ending.CANCELLED) {
            long now = nanoClock.getAsLong();
            if (cancellations.size() == CANCELLATIONS_KEPT) {
                cancellations.removeFirst();
            }
            cancellations.addLast(new Cancellation(
                    id, (now - startNanos) / NANOS_PER_MILLI, (now - openedNanos) / NANOS_PER_MILLI, generatedTokens));
        }
    }

    /** A client asked to abort by id, which stopped so many requests. */
    public synchronized void abortAsked(int stopped) {
        abortCalls++;
        aborted += stopped;
    }

    /** The high-water mark starts again from what is open now. */
    public synchronized void resetHighWater() {
        highWater = inflight;
    }

    public synchronized RequestCounts counts() {
        return new RequestCounts(
                inflight,
                highWater,
                received,
                ended(Ending.COMPLETED),
                ended(Ending.REJECTED),
                ended(Ending.CANCELLED),
                ended(Ending.CUT),
                abortCalls,
                aborted,
                List.copyOf(cancellations));
    }

    private long ended(Ending ending) {
        return endings.getOrDefault(ending, 0L);
    }
}
