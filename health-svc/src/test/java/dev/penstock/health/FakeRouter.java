package dev.penstock.health;

import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.config.RedisConfig;
import dev.penstock.kit.membership.Membership;
import dev.penstock.model.DurationSketch;
import dev.penstock.model.Header;
import dev.penstock.model.Outcome;
import dev.penstock.model.Outcomes;
import dev.penstock.model.Topics;
import dev.penstock.model.Verdict;
import dev.penstock.wire.OutcomesCodec;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * A router as health-svc sees it: a request to each usable engine each 100 ms, quarantine after three failures in a row or
 * a hang with a trial each second, one request at a time where half-open permits.
 */
final class FakeRouter {
    private static final long TICK_MILLIS = 100;
    private static final int TRIAL_TICKS = 10;

    private final Vertx vertx;
    private final Incarnation self;
    private final KafkaBus bus;
    private final Membership membership;
    private final Map<Integer, FakeEngine> engines;
    private final IntFunction<Verdict> verdicts;
    private final Map<Integer, Integer> failuresInRow = new HashMap<>();
    private final Set<Integer> quarantined = new HashSet<>();
    private final long timer;
    private long sequence;
    private long tick;

    FakeRouter(
            Vertx vertx,
            String name,
            KafkaBus bus,
            RedisConfig redis,
            Map<Integer, FakeEngine> engines,
            IntFunction<Verdict> verdicts) {
        this.vertx = vertx;
        this.self = Incarnation.fresh(name);
        this.bus = bus;
        this.engines = engines;
        this.verdicts = verdicts;
        this.membership = Membership.start(vertx, redis, "router", self, Duration.ofSeconds(1));
        this.timer = vertx.setPeriodic(TICK_MILLIS, tick -> serve());
    }

    Future<Void> close() {
        vertx.cancelTimer(timer);
        return membership.close();
    }

    private void serve() {
        tick++;
        List<Outcomes.ReplicaOutcomes> told = new ArrayList<>();
        engines.forEach((number, engine) -> told.add(one(number, engine)));
        Header header = new Header(self.name(), self.nonce(), ++sequence, Header.NO_EPOCH, System.nanoTime());
        bus.send(Topics.OUTCOMES, 0, self.name(), OutcomesCodec.encode(new Outcomes(header, told)));
    }

    private Outcomes.ReplicaOutcomes one(int number, FakeEngine engine) {
        Verdict verdict = verdicts.apply(number);
        boolean permitted =
                verdict instanceof Verdict.HalfOpen h && h.permittedRouter().equals(self.name());
        Map<Outcome, Integer> counts = new HashMap<>();
        boolean hangs = engine.mode == FakeEngine.Mode.HANGS;
        boolean trial = quarantined.contains(number) && tick % TRIAL_TICKS == 0;
        if (permitted || (verdict.routable() && (trial || !quarantined.contains(number)))) {
            if (!hangs) counts.put(engine.serve(), 1);
            boolean failed = hangs || counts.containsKey(Outcome.REPLICA_ERROR);
            int row = failed ? failuresInRow.merge(number, 1, Integer::sum) : 0;
            failuresInRow.put(number, row);
            if (row >= 3) quarantined.add(number);
            if (row == 0) quarantined.remove(number);
        }
        return new Outcomes.ReplicaOutcomes(
                number,
                counts,
                0,
                new DurationSketch(),
                new DurationSketch(),
                counts.size(),
                quarantined.contains(number),
                counts.containsKey(Outcome.OK));
    }
}
