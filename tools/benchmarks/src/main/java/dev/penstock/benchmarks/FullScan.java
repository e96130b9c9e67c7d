package dev.penstock.benchmarks;

import dev.penstock.core.pick.TieBreak;
import dev.penstock.core.view.ReplicaCell;
import dev.penstock.core.view.ReplicaEntry;
import java.util.SplittableRandom;

/** The baseline: scores every replica of the pool with the full formula and takes the lowest; exact, and O(N). */
final class FullScan implements Loop {
    private final Fleet fleet;
    private final SplittableRandom random;
    private final OpenRequests open;

    FullScan(Fleet fleet, long seed) {
        this.fleet = fleet;
        this.random = new SplittableRandom(seed);
        this.open = new OpenRequests(fleet, random);
    }

    @Override
    public void run(int operations) {
        for (int i = 0; i < operations; i++) open.start(least().cell());
    }

    @Override
    public void settle() {
        open.end();
    }

    private ReplicaEntry least() {
        ReplicaEntry[] pool = fleet.view.current().serving(Fleet.MODEL);
        if (pool == null) throw new IllegalStateException("unknown model " + Fleet.MODEL);
        long draw = random.nextLong();
        ReplicaEntry best = pool[0];
        long bestLoad = Long.MAX_VALUE;
        long bestKey = Long.MAX_VALUE;
        for (ReplicaEntry entry : pool) {
            ReplicaCell cell = entry.cell();
            if (!cell.candidate() || cell.exclusion(Fleet.NOW) != ReplicaCell.Exclusion.NONE) continue;
            long load = cell.loadMilli();
            if (load > bestLoad) continue;
            long key = TieBreak.key(draw, entry.replica().number());
            if (load == bestLoad && key >= bestKey) continue;
            best = entry;
            bestLoad = load;
            bestKey = key;
        }
        return best;
    }
}
