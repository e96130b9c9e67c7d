package dev.penstock.collector.roster;

import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.bus.Subscription;
import dev.penstock.kit.claims.ClaimHolder;
import dev.penstock.kit.management.Condition;
import dev.penstock.model.Topics;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * This collector's part in the role of the roster owner. Each time the role is gained the topic is read anew to its end
 * before a number is given, because the owner before may have given some a moment ago. Used on one context.
 */
public final class RosterOwner implements ClaimHolder.Listener {
    private final KafkaBus bus;
    private final LongFunction<RosterPublisher> publishers;
    private final Condition ready;
    private @Nullable RosterPublisher publisher;
    private @Nullable Subscription subscription;

    /** @param publishers makes one for an epoch */
    public RosterOwner(KafkaBus bus, LongFunction<RosterPublisher> publishers, Condition ready) {
        this.bus = bus;
        this.publishers = publishers;
        this.ready = ready;
    }

    @Override
    public void gained(long epoch) {
        lost();
        RosterPublisher fresh = publishers.apply(epoch);
        publisher = fresh;
        subscription = bus.subscribe(
                List.of(Topics.ROSTER), (topic, key, value, nanos) -> fresh.record(key, value), fresh::caughtUp);
    }

    @Override
    public void lost() {
        if (subscription != null) subscription.close();
        subscription = null;
        publisher = null;
        ready.ok();
    }

    public boolean owns() {
        return publisher != null;
    }

    /** Looks at the source, and tells what is new. */
    public Future<?> tick() {
        RosterPublisher now = publisher;
        return now == null ? Future.succeededFuture() : now.tick();
    }

    /** Asks replicas what they serve; between looks at the source. */
    public void askModels() {
        if (publisher != null) publisher.askModels();
    }

    /** A collector saw that the engine of this number began anew. */
    public void restarted(int number) {
        if (publisher != null) publisher.restarted(number);
    }

    /** Names that were not taken in, with the reason. */
    public Map<String, String> refusals() {
        return publisher == null ? Map.of() : publisher.refusals();
    }
}
