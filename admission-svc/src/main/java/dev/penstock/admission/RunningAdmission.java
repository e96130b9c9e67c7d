package dev.penstock.admission;

import dev.penstock.admission.ledger.Ledgers;
import dev.penstock.admission.rest.PolicyApi;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.management.ManagementServer;
import dev.penstock.kit.management.Readiness;
import dev.penstock.kit.membership.Membership;
import dev.penstock.kit.run.RunningService;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;

/** An admission service that runs. It stops at once; routers go on with the shares they have. */
public record RunningAdmission(
        Vertx vertx,
        String name,
        String deployment,
        Readiness readiness,
        ManagementServer management,
        PolicyApi api,
        Ledgers ledgers,
        KafkaBus bus,
        Membership admission,
        Membership routers)
        implements RunningService {

    @Override
    public String describe() {
        return name + ", REST on port " + api.port() + ", ledger on port " + ledgers.port() + ", management on port "
                + management.port();
    }

    @Override
    public Future<Void> shutdown(Duration grace) {
        readiness.draining();
        // the role is released while the bus can still say so
        return vertx.undeploy(deployment)
                .transform(stopped -> Future.join(
                        List.of(admission.close(), routers.close(), bus.close(), api.close(), management.close())))
                .transform(closed -> Future.succeededFuture());
    }
}
