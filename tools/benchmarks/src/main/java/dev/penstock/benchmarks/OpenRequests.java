package dev.penstock.benchmarks;

import dev.penstock.core.view.ReplicaCell;
import java.util.SplittableRandom;

/**
 * Requests that one event loop has in flight: eight per replica, at random replicas. Each that starts ends the oldest, so an
 * operation costs a release somewhere else, as a request's does, and the fleet stays as uneven as the policy leaves it. The
 * oldest and not a random one: the walk through this array is then one that the processor foresees, and its cache misses
 * are not counted as the decision's.
 */
final class OpenRequests {
    private static final int PER_REPLICA = 8;

    private final ReplicaCell[] cells;
    private int oldest;

    OpenRequests(Fleet fleet, SplittableRandom random) {
        this.cells = new ReplicaCell[fleet.replicas * PER_REPLICA];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = fleet.replica(1 + random.nextInt(fleet.replicas)).cell();
            cells[i].acquire();
        }
    }

    /** Starts one here, ends the oldest. */
    void replaceOldestBy(ReplicaCell cell) {
        cell.acquire();
        cells[oldest].release();
        cells[oldest] = cell;
        if (++oldest == cells.length) oldest = 0;
    }
}
