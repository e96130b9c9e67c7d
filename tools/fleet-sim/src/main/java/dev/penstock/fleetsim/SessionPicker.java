package dev.penstock.fleetsim;

import dev.penstock.core.pick.Affinity;
import dev.penstock.core.pick.PickRule;
import dev.penstock.core.pick.Routing;
import dev.penstock.core.pick.RoutingPolicy;
import dev.penstock.core.session.SessionBook;
import dev.penstock.core.session.SessionPins;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.core.view.RosterImage;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The production decision with the production pins, for the session that is set before. */
final class SessionPicker implements Picker, LongConsumer {
    private static final long HOUR_NANOS = 3_600_000_000_000L;
    private static final int MOST_PINS = 1 << 18;

    private final RoutingPolicy policy = new RoutingPolicy();
    private final Routing routing = new Routing();
    private final Affinity affinity = new Affinity();
    private final SessionBook book;
    private final RandomGenerator random;
    private long key;

    SessionPicker(SimPins pins, EventQueue events, RandomGenerator random) {
        this.book = new SessionBook(new SessionPins(MOST_PINS, HOUR_NANOS), pins.store(), events::nowNanos);
        this.random = random;
        pins.listen(book);
    }

    @Override
    public void accept(long sessionKey) {
        key = sessionKey;
    }

    @Override
    public @Nullable ReplicaEntry pick(RosterImage image, long nowNanos) {
        int pinned = book.owner(key, nowNanos);
        affinity.clear();
        affinity.session(key, pinned);
        routing.clear();
        policy.route(image, Replicas.MODEL, PickRule.DEFAULT, affinity, nowNanos, random, routing);
        ReplicaEntry entry = routing.replica();
        if (entry != null) {
            book.routed(Replicas.MODEL, key, pinned, entry.replica().number(), nowNanos);
        }
        return entry;
    }
}
