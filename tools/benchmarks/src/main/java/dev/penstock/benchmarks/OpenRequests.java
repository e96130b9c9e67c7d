package dev.penstock.benchmarks;

import dev.penstock.core.view.ReplicaCell;
import java.util.SplittableRandom;

/**
 * Requests that one event loop has in flight: eight per replica, at random replicas. As many as started are ended after each
 * batch, the oldest ones, outside of what is timed: an end is another request's, at another replica, at another time.
 */
final class OpenRequests {
    private static final int PER_REPLICA = 8;
    /** More than a batch. */
    private static final int MOST_STARTED = 64;

    private final ReplicaCell[] cells;
    private final ReplicaCell[] started = new ReplicaCell[MOST_STARTED];
    private int startedCount;
    private int oldest;

    OpenRequests(Fleet fleet, SplittableRandom random) {
        this.cells = new ReplicaCell[fleet.replicas * PER_REPLICA];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = fleet.replica(1 + random.nextInt(fleet.replicas)).cell();
            cells[i].acquire();
        }
    }

    /** Starts one here. */
    void start(ReplicaCell cell) {
        cell.acquire();
        started[startedCount++] = cell;
        if (startedCount == started.length) end();
    }

    /** Ends as many as have started since. */
    void end() {
        for (int i = 0; i < startedCount; i++) {
            cells[oldest].release();
            cells[oldest] = started[i];
            if (++oldest == cells.length) oldest = 0;
        }
        startedCount = 0;
    }
}
