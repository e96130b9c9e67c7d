package dev.penstock.health;

import dev.penstock.health.probe.EngineProbe;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.management.ManagementServer;
import dev.penstock.kit.management.Readiness;
import dev.penstock.kit.membership.Membership;
import dev.penstock.kit.run.RunningService;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;

/** A health-svc that runs. It gives its role up and stops at once. */
public record RunningHealth(
        Vertx vertx,
        String name,
        String deployment,
        Readiness readiness,
        ManagementServer management,
        KafkaBus bus,
        Membership members,
        Membership routers,
        EngineProbe engines)
        implements RunningService {

    @Override
    public String describe() {
        return name + ", management on port " + management.port();
    }

    @Override
    public Future<Void> shutdown(Duration grace) {
        readiness.draining();
        return vertx.undeploy(deployment)
                .transform(stopped -> Future.join(
                        List.of(members.close(), routers.close(), bus.close(), engines.close(), management.close())))
                .transform(closed -> Future.succeededFuture());
    }
}
