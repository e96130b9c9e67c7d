package dev.penstock.ledgermodel.slots;

import dev.penstock.core.ledger.Distribution;
import dev.penstock.core.ledger.HolderBook;
import dev.penstock.core.ledger.HolderId;
import dev.penstock.core.ledger.Rules;
import dev.penstock.fleetsim.EventQueue;
import java.util.List;
import java.util.SplittableRandom;

/** One owner, routers and replicas under one scene's requests. */
final class SlotFleet {
    private final Scene scene;
    private final Policy policy;
    private final long patienceNanos;
    private final EventQueue time = new EventQueue();
    private final Tally tally;
    private final SlotOwner owner;
    private final SlotRouter[] routers;
    private final int[] inFlight;
    private int overshoot;

    /** @param joinGapNanos between one router's start and the next one's */
    SlotFleet(Scene scene, Policy policy, long patienceNanos, long joinGapNanos, SplittableRandom random) {
        this.scene = scene;
        this.policy = policy;
        this.patienceNanos = patienceNanos;
        tally = new Tally(scene.routers(), scene.warmNanos());
        inFlight = new int[scene.replicas()];
        owner = new SlotOwner(this, random.split());
        routers = new SlotRouter[scene.routers()];
        for (int i = 0; i < routers.length; i++) {
            HolderBook book = new HolderBook(new HolderId("router-" + i, i), SlotOwner.EPOCH, Rules.ALL);
            SlotRouter router = new SlotRouter(book, this, new Wire(time, random.split(), tally), random.split());
            routers[i] = router;
            Wire toRouter = new Wire(time, random.split(), tally);
            time.at(i * joinGapNanos, () -> owner.joined(router, toRouter));
            // Periods of different processes have nothing to do with each other.
            eachPeriod(random, router::report);
        }
        if (!policy.moves) time.at(0, owner::split);
        eachPeriod(random, owner::rebalance);
    }

    Tally serve(List<Request> requests) {
        for (Request each : requests) time.at(each.arrivalNanos(), () -> routers[each.router()].arrived(each));
        time.runUntil(scene.endNanos() + patienceNanos);
        return tally;
    }

    int overshoot() {
        return overshoot;
    }

    void started(Request request, int replica) {
        tally.served(request, time.nowNanos());
        overshoot = Math.max(overshoot, ++inFlight[replica] - scene.limit());
    }

    void ended(int replica) {
        inFlight[replica]--;
    }

    Scene scene() {
        return scene;
    }

    Policy policy() {
        return policy;
    }

    long patienceNanos() {
        return patienceNanos;
    }

    private void eachPeriod(SplittableRandom random, Runnable action) {
        time.every(random.nextLong(Distribution.PERIOD_NANOS), Distribution.PERIOD_NANOS, () -> {
            action.run();
            return true;
        });
    }

    EventQueue time() {
        return time;
    }

    Tally tally() {
        return tally;
    }

    SlotOwner owner() {
        return owner;
    }
}
