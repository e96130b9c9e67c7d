package dev.penstock.collector;

import dev.penstock.collector.http.BoundedGet;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.management.ManagementServer;
import dev.penstock.kit.management.Readiness;
import dev.penstock.kit.membership.Membership;
import dev.penstock.kit.run.RunningService;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;

/** A collector that runs. It has no work that could be drained: it stops at once. */
public record RunningCollector(
        Vertx vertx,
        String name,
        String deployment,
        Readiness readiness,
        ManagementServer management,
        KafkaBus bus,
        Membership members,
        BoundedGet http)
        implements RunningService {

    @Override
    public String describe() {
        return name + ", management on port " + management.port();
    }

    @Override
    public Future<Void> shutdown(Duration grace) {
        readiness.draining();
        return vertx.undeploy(deployment)
                .transform(stopped -> Future.join(members.close(), bus.close(), http.close(), management.close()))
                .transform(closed -> Future.succeededFuture());
    }
}
