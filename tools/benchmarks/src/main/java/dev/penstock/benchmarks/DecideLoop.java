package dev.penstock.benchmarks;

import dev.penstock.core.explain.DecisionRing;
import dev.penstock.core.pick.Affinity;
import dev.penstock.core.pick.PickRule;
import dev.penstock.core.pick.Routing;
import dev.penstock.core.pick.RoutingPolicy;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.core.view.RosterImage;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One event loop that routes, as a request does: read the view, decide, record if asked to, acquire; some other releases. Every
 * request has a session that is pinned somewhere and a prompt that two replicas have a part of.
 */
final class DecideLoop implements Loop {
    private final Fleet fleet;
    private final SplittableRandom random;
    private final OpenRequests open;
    private final @Nullable DecisionRing ring;
    private final RoutingPolicy policy = new RoutingPolicy();
    private final Routing out = new Routing();
    private final Affinity affinity = new Affinity();
    private long request;

    /** @param ring where decisions are recorded, or null */
    DecideLoop(Fleet fleet, long seed, @Nullable DecisionRing ring) {
        this.fleet = fleet;
        this.random = new SplittableRandom(seed);
        this.open = new OpenRequests(fleet, random);
        this.ring = ring;
    }

    @Override
    public void run(int operations) {
        for (int i = 0; i < operations; i++) {
            out.clear();
            decide(++request);
        }
    }

    @Override
    public void settle() {
        open.end();
    }

    /** Returns the replica's number, or 0 when all that may be tried has been. */
    int decide(long id) {
        RosterImage view = fleet.view.current();
        policy.route(view, Fleet.MODEL, PickRule.DEFAULT, wish(id), Fleet.NOW, random, out);
        if (ring != null) ring.record(id, view.version(), Fleet.NOW, out);
        ReplicaEntry chosen = out.replica();
        if (chosen == null) return 0;
        open.start(chosen.cell());
        return chosen.replica().number();
    }

    private Affinity wish(long id) {
        affinity.clear();
        affinity.session(id, somebody());
        affinity.owner(somebody(), 700);
        affinity.owner(somebody(), 300);
        return affinity;
    }

    private int somebody() {
        return 1 + random.nextInt(fleet.replicas);
    }

    /** The next decision is another request's first. */
    void nextRequest() {
        out.clear();
    }
}
