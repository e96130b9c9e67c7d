package dev.penstock.router.endings;

import dev.penstock.model.Header;
import dev.penstock.model.HealthRecord;
import dev.penstock.model.Topics;
import dev.penstock.model.Verdict;
import dev.penstock.router.cases.Fleet;
import dev.penstock.router.cases.RouterScene;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.raw.Plan;
import dev.penstock.testkit.raw.ScriptedReplica;
import dev.penstock.testkit.raw.SeenRequest;
import dev.penstock.wire.HealthCodec;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The engines of one row. */
final class Stage implements AutoCloseable {
    private static final Duration SOON = Duration.ofSeconds(10);

    final RouterScene scene;
    final String model;
    private @Nullable Fleet fleet;
    private @Nullable StubbornEngine stubborn;
    private @Nullable BlackHole blackHole;
    private long told;

    Stage(RouterScene scene, String model) {
        this.scene = scene;
        this.model = model;
    }

    /** As many replicas as there are plans; the n-th request over all of them gets the n-th plan, or the last. */
    void scripted(Plan... plans) {
        AtomicInteger turn = new AtomicInteger();
        fleet = scene.fleet(model, plans.length)
                .script(request -> plans[Math.min(turn.getAndIncrement(), plans.length - 1)]);
    }

    void refusing(int replicas) {
        fleet = scene.fleet(model, replicas);
        fleet.replicas().forEach(ScriptedReplica::refuse);
    }

    void stubborn(StubbornEngine engine) {
        stubborn = engine;
        fleet = scene.fleet(model, 0).join(engine.port());
    }

    void blackHole() {
        blackHole = new BlackHole();
        fleet = scene.fleet(model, 0).join(blackHole.port());
    }

    Fleet fleet() {
        if (fleet == null) throw new IllegalStateException("no engines");
        return fleet;
    }

    StubbornEngine engine() {
        if (stubborn == null) throw new IllegalStateException("no stubborn engine");
        return stubborn;
    }

    void awaitAtEngine() {
        Await.until("at an engine", SOON, () -> fleet().count() > 0 || (stubborn != null && stubborn.heads() > 0));
    }

    /** health-svc says that nothing works there. */
    void eject() {
        for (int number : fleet().numbers()) {
            Header header = new Header("health", 1, ++told, 1, System.nanoTime());
            Verdict verdict = new Verdict.Ejected(Verdict.Severity.HARD, "no answer", 1, 60_000_000);
            scene.infra()
                    .feed()
                    .bus()
                    .publish(
                            Topics.HEALTH,
                            0,
                            String.valueOf(number),
                            HealthCodec.encode(new HealthRecord(
                                    header, number, "uid-1", verdict, 60_000_000, HealthRecord.NO_PASS, 0)));
        }
    }

    /** Connections that engines still have. */
    boolean engineLeft() {
        return stubborn == null
                ? fleet().replicas().stream().allMatch(replica -> replica.openConnections() == 0)
                : stubborn.left();
    }

    /** The id of the one request, as its engine was told it. */
    @Nullable
    String requestId() {
        List<SeenRequest> seen = fleet().requests();
        if (seen.isEmpty()) return null;
        String attempt = seen.getFirst().values("x-request-id").getFirst();
        return attempt.substring(0, attempt.lastIndexOf("-a"));
    }

    @Override
    public void close() {
        if (stubborn != null) stubborn.close();
        if (blackHole != null) blackHole.close();
        if (fleet != null) fleet.close();
    }
}
