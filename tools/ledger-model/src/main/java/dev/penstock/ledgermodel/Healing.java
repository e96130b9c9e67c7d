package dev.penstock.ledgermodel;

import dev.penstock.core.ledger.OwnerBook;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What happens once nothing breaks any more: streams are opened, messages arrive, requests end, deaths are proven, routers give back
 * what is free. Then every slot must be home at the highest claimant. Steps are taken in the order they are told until there is none.
 */
final class Healing {
    private static final Set<Kind> REPAIRS = EnumSet.of(
            Kind.ENROL,
            Kind.LEARN_CLAIMS,
            Kind.TAKE,
            Kind.HEAR,
            Kind.DEREGISTER,
            Kind.PROVE,
            Kind.WRITE,
            Kind.ARRIVE,
            Kind.SHOW,
            Kind.FINISH,
            Kind.GIVE_BACK,
            Kind.READ_FACTS,
            Kind.READ_ROUTERS,
            Kind.READ_POLICY,
            Kind.BEGIN_THAW);
    private static final int MOST_STEPS = 10_000;

    private Healing() {}

    /** Slots that are not home after it, of all replicas; none when nobody has claimed. */
    static int lost(World broken) {
        if (broken.claims.isEmpty()) return 0;
        World world = broken.healing();
        for (int i = 0; ; i++) {
            int step = next(world);
            if (step < 0) break;
            if (i == MOST_STEPS) throw new IllegalStateException("never heals:\n" + world);
            world.apply(step);
            String wrong = world.violation();
            if (wrong != null) throw new IllegalStateException(wrong + " after " + Step.name(step) + "\n" + world);
        }
        OwnerBook book = world.ownerBook(world.claims.getLast());
        int lost = 0;
        for (int i = 0; i < world.limits.length; i++) {
            lost += Math.abs(world.limits[i] - book.home(i));
            if (!book.accounted(i)) lost += book.home(i);
        }
        return lost;
    }

    private static int next(World world) {
        int[] first = {-1, -1, -1};
        world.steps(step -> {
            Kind kind = Step.kind(step);
            int rank = REPAIRS.contains(kind)
                    ? 0
                    : kind == Kind.OPEN && mustOpen(world, step) ? 1 : kind == Kind.SCRAPE ? 2 : -1;
            if (rank >= 0 && first[rank] < 0) first[rank] = step;
        });
        return first[0] >= 0 ? first[0] : first[1] >= 0 ? first[1] : first[2];
    }

    /** Its newest stream is not the one that the highest claimant knows. */
    private static boolean mustOpen(World world, int step) {
        int highest = world.claims.getLast();
        if (Step.b(step) != highest) return false;
        Router router = world.routers[Step.a(step)];
        @Nullable Link newest = router.newest();
        return newest == null
                || newest.owner != highest
                || world.ownerBook(highest).session(router.id) != newest.session;
    }
}
