package dev.penstock.advisor;

import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.management.ManagementServer;
import dev.penstock.kit.management.Readiness;
import dev.penstock.kit.membership.Membership;
import dev.penstock.kit.run.RunningService;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;

/** An advisor that runs. It gives its role up, ends streams in order, and stops at once. */
public record RunningAdvisor(
        Vertx vertx,
        String name,
        String deployment,
        AdviceVerticle verticle,
        Readiness readiness,
        ManagementServer management,
        KafkaBus bus,
        Membership members,
        Membership routers)
        implements RunningService {

    @Override
    public String describe() {
        return name + ", REST on port " + restPort() + ", gRPC on port " + grpcPort() + ", management on port "
                + management.port();
    }

    public int restPort() {
        return verticle.restPort();
    }

    public int grpcPort() {
        return verticle.grpcPort();
    }

    @Override
    public Future<Void> shutdown(Duration grace) {
        readiness.draining();
        return vertx.undeploy(deployment)
                .transform(stopped -> Future.join(members.close(), routers.close(), bus.close(), management.close()))
                .transform(closed -> Future.succeededFuture());
    }
}
