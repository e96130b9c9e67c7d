package dev.penstock.benchmarks;

import dev.penstock.core.view.ReplicaCell;
import java.util.SplittableRandom;

/**
 * Requests that one event loop has in flight, eight per replica, at random replicas. Each that starts ends another one drawn
 * evenly: service times without memory, so that the fleet stays as uneven as the policy leaves it, and an operation costs a
 * release somewhere else, as a request's does.
 */
final class OpenRequests {
    private static final int PER_REPLICA = 8;

    private final ReplicaCell[] cells;
    private final SplittableRandom random;

    OpenRequests(Fleet fleet, SplittableRandom random) {
        this.random = random;
        this.cells = new ReplicaCell[fleet.replicas * PER_REPLICA];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = fleet.replica(1 + random.nextInt(fleet.replicas)).cell();
            cells[i].acquire();
        }
    }

    /** Starts one here, ends one anywhere. */
    void replaceOneBy(ReplicaCell cell) {
        cell.acquire();
        int at = random.nextInt(cells.length);
        cells[at].release();
        cells[at] = cell;
    }
}
