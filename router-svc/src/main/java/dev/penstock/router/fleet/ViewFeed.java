package dev.penstock.router.fleet;

import dev.penstock.core.view.FleetView;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.management.Condition;
import dev.penstock.kit.run.PeriodicTask;
import dev.penstock.router.account.DemandPublisher;
import dev.penstock.router.account.EvidencePublisher;
import dev.penstock.router.account.InflightPublisher;
import io.vertx.core.Future;
import io.vertx.core.Promise;
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
    private boolean refreshing;

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

    /**
     * To be called on the view's context. The future completes when somebody can be routed to, after 5 s at the latest:
     * traffic is not listened for before, because clients take a refused connect better than a 404.
     */
    public Future<Void> start(Vertx vertx, KafkaBus bus, RandomGenerator random) {
        Promise<Void> warm = Promise.promise();
        OwnConnects connects = new OwnConnects(vertx, view, nanoClock, random);
        SilenceWatch silence = new SilenceWatch(view, random);
        subscriber.subscribe(bus);
        copy.useUnlessCaughtUp(COPY_AFTER_MILLIS);
        PeriodicTask.start(vertx, "view", VIEW, 0, () -> {
            if (!warm.future().isComplete() && routable()) warm(warm);
            if (!refreshing) refresh(vertx);
            silence.look(nanoClock.getAsLong());
            publishers.inflight().publish();
            connects.tryDue();
        });
        PeriodicTask.start(vertx, "evidence", EVIDENCE, 0, publishers.evidence()::publish);
        PeriodicTask.start(vertx, "demand", SECOND, 0, publishers.demand()::publish);
        PeriodicTask.start(vertx, "failure-rates", SECOND, 0, view::foldFailureRates);
        PeriodicTask.start(vertx, "roster-copy", SECOND, 0.1, copy::writeIfChanged);
        vertx.setTimer(READY_AT_LATEST_MILLIS, timer -> warm(warm));
        return warm.future();
    }

    /** In slices, so that records and a stop get their turn in between. */
    private void refresh(Vertx vertx) {
        // Should a slice fail, the context logs it, and the sweep goes on with the next tick.
        refreshing = false;
        refreshing = view.refreshSlice(nanoClock.getAsLong());
        if (refreshing) vertx.runOnContext(v -> refresh(vertx));
    }

    private boolean routable() {
        return view.current().entries().stream().anyMatch(entry -> entry.cell().candidate());
    }

    private void warm(Promise<Void> warm) {
        roster.ok();
        warm.tryComplete();
    }
}
