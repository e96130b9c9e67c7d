package dev.penstock.router;

import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.management.ManagementServer;
import dev.penstock.kit.management.Readiness;
import dev.penstock.kit.membership.Membership;
import dev.penstock.kit.run.RunningService;
import dev.penstock.router.ingress.IngressVerticle;
import dev.penstock.router.session.RedisPins;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;

/** A router that runs, and how it stops: unready, drained, then closed. */
public record RunningRouter(
        Vertx vertx,
        String name,
        Readiness readiness,
        ManagementServer management,
        List<IngressVerticle> listeners,
        KafkaBus bus,
        Membership members,
        RedisPins pins)
        implements RunningService {

    public int port() {
        return listeners.getFirst().port();
    }

    @Override
    public String describe() {
        return name + " on port " + port() + ", management on port " + management.port();
    }

    @Override
    public Future<Void> shutdown(Duration grace) {
        readiness.draining();
        return Future.join(listeners.stream()
                        .map(listener -> listener.drain(grace.toSeconds()))
                        .toList())
                .transform(drained -> Future.join(members.close(), pins.close(), bus.close(), management.close()))
                .transform(closed -> Future.succeededFuture());
    }
}
