package dev.penstock.ledgermodel;

import dev.penstock.core.ledger.Rules;
import java.util.EnumSet;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A long random walk in a larger world than can be explored whole: episodes from an empty world on, each healed at its end. What
 * breaks things is taken up less often than what goes on, so that an episode gets far.
 */
final class Walk {
    private static final Set<Kind> RARE =
            EnumSet.of(Kind.DIE, Kind.LEAVE, Kind.CLAIM, Kind.DRAIN, Kind.LOWER, Kind.RAISE, Kind.OPEN, Kind.RECALL);
    private static final int ONE_IN = 12;
    private static final int EPISODE = 400;

    private final Bounds bounds;
    private final Rules rules;

    /**
     * @param overshoot requests in flight above a replica's limit, at most
     * @param lostSlots that were not home after everything was healed, of all episodes
     * @param admitted requests, so that nobody can be right by standing still
     */
    record Result(long steps, int episodes, int overshoot, long lostSlots, long admitted) {}

    Walk(Bounds bounds, Rules rules) {
        this.bounds = bounds;
        this.rules = rules;
    }

    Result steps(long most, SplittableRandom random) {
        long taken = 0;
        int episodes = 0;
        int overshoot = 0;
        long lost = 0;
        long admitted = 0;
        int[] steps = new int[512];
        int[] count = {0};
        while (taken < most) {
            World world = new World(bounds, rules);
            episodes++;
            for (int i = 0; i < EPISODE; i++) {
                count[0] = 0;
                world.steps(step -> steps[count[0]++] = step);
                if (count[0] == 0) break;
                int step = steps[random.nextInt(count[0])];
                if (RARE.contains(Step.kind(step)) && random.nextInt(ONE_IN) > 0) continue;
                world.apply(step);
                taken++;
                if (Step.kind(step) == Kind.WRITE) admitted++;
                overshoot = Math.max(overshoot, world.overshoot());
                String wrong = world.violation();
                if (wrong != null) throw new IllegalStateException(wrong + " after " + Step.name(step) + "\n" + world);
            }
            lost += Healing.lost(world);
        }
        return new Result(taken, episodes, overshoot, lost, admitted);
    }
}
