package dev.penstock.router.fleet;

import dev.penstock.core.view.FleetView;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.management.Condition;
import dev.penstock.kit.run.PeriodicTask;
import dev.penstock.router.account.DemandPublisher;
import dev.penstock.router.account.EvidencePublisher;
import dev.penstock.router.account.InflightPublisher;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** Everything that writes to the view, and everything that tells what is in it, on the one context that does. */
public final class ViewFeed {
    private static final long COPY_AFTER_MILLIS = 2_000;
    private static final long READY_AT_LATEST_MILLIS = 5_000;
    private static final Duration VIEW = Duration.ofMillis(100);
    private static final Duration EVIDENCE = Duration.ofMillis(250);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final FleetView view;
    private final FleetSubscriber subscriber;
    private final RosterCopy copy;
    private final Publishers publishers;
    private final Condition roster;
    private final LongSupplier nanoClock;

    /** What this router tells the others. */
    public record Publishers(InflightPublisher inflight, EvidencePublisher evidence, DemandPublisher demand) {}

    public ViewFeed(
            FleetView view,
            FleetSubscriber subscriber,
            RosterCopy copy,
            Publishers publishers,
            Condition roster,
            LongSupplier nanoClock) {
        this.view = view;
        this.subscriber = subscriber;
        this.copy = copy;
        this.publishers = publishers;
        this.roster = roster;
        this.nanoClock = nanoClock;
    }

    /** To be called on the view's context. */
    public void start(Vertx vertx, KafkaBus bus, RandomGenerator random) {
        OwnConnects connects = new OwnConnects(vertx, view, nanoClock, random);
        SilenceWatch silence = new SilenceWatch(view, random);
        subscriber.subscribe(bus);
        copy.useUnlessCaughtUp(COPY_AFTER_MILLIS);
        // Warm = somebody can be routed to; later than 5 s it starts all the same, and answers 503 honestly.
        PeriodicTask.start(vertx, "view", VIEW, 0, () -> {
            if (view.current().entries().stream().anyMatch(entry -> entry.cell().candidate())) roster.ok();
            view.fadePeers(nanoClock.getAsLong());
            silence.look(nanoClock.getAsLong());
            publishers.inflight().publish();
            connects.tryDue();
        });
        PeriodicTask.start(vertx, "evidence", EVIDENCE, 0, publishers.evidence()::publish);
        PeriodicTask.start(vertx, "demand", SECOND, 0, publishers.demand()::publish);
        PeriodicTask.start(vertx, "failure-rates", SECOND, 0, view::foldFailureRates);
        PeriodicTask.start(vertx, "roster-copy", SECOND, 0.1, copy::writeIfChanged);
        vertx.setTimer(READY_AT_LATEST_MILLIS, timer -> roster.ok());
    }
}
