package dev.penstock.router;

import dev.penstock.core.explain.DecisionRing;
import dev.penstock.core.pick.PickRule;
import dev.penstock.core.pick.Routing;
import dev.penstock.core.pick.RoutingPolicy;
import dev.penstock.core.view.FleetView;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.kit.management.Condition;
import dev.penstock.kit.management.Readiness;
import dev.penstock.model.Header;
import dev.penstock.model.Replica;
import dev.penstock.model.RosterRecord;
import dev.penstock.router.body.BodyPeek;
import dev.penstock.router.body.Peek;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Peeks and decides 20,000 times over a fleet of its own before readiness: the first requests of a cold JVM cost 5 to 50 ms
 * otherwise.
 */
final class WarmUp {
    private static final int ROUNDS = 20_000;
    private static final int REPLICAS = 64;
    private static final Set<String> NO_FIELDS = Set.of();
    private static final String MODEL = "warm/up";
    private static final String BODY =
            "{\"model\":\"warm/up\",\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]}";

    private WarmUp() {}

    static Future<?> run(Vertx vertx, Readiness readiness) {
        Condition warm = readiness.condition("warm-up", "compiling the hot path");
        return vertx.executeBlocking(WarmUp::decideManyTimes, false).onSuccess(done -> warm.ok());
    }

    /** Returns how many were routed, so that nothing of it is compiled away. */
    static int decideManyTimes() {
        FleetView view = fleet();
        RoutingPolicy policy = new RoutingPolicy();
        Routing out = new Routing();
        DecisionRing ring = new DecisionRing();
        SplittableRandom random = new SplittableRandom(1);
        Buffer body = Buffer.buffer(BODY);
        BodyPeek peek = new BodyPeek();
        int routed = 0;
        for (int i = 0; i < ROUNDS; i++) {
            peek.start(NO_FIELDS);
            peek.feed(body);
            if (!(peek.finish() instanceof Peek.Peeked peeked)) continue;
            out.clear();
            policy.route(view.current(), peeked.model(), PickRule.DEFAULT, i, random, out);
            ring.record(i, view.current().version(), i, out);
            ReplicaEntry replica = out.replica();
            if (replica == null) continue;
            routed++;
            replica.cell().acquire();
            if (i % 3 != 0) replica.cell().release();
            replica.cell().succeeded();
        }
        return routed;
    }

    private static FleetView fleet() {
        FleetView view = new FleetView("warm-up", 0);
        for (int number = 1; number <= REPLICAS; number++) {
            Replica replica = Replica.serving(MODEL, "warm-" + number, number, "warm", "http://127.0.0.1:1");
            view.apply(new RosterRecord(
                    new Header("warm-up", 0, number, Header.NO_EPOCH, 0),
                    replica,
                    false,
                    number,
                    RosterRecord.AGE_UNKNOWN));
        }
        view.current().entries().forEach(entry -> entry.cell().vouchFor());
        return view;
    }
}
