package dev.penstock.router;

import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.log.LogKeys;
import dev.penstock.kit.management.ManagementServer;
import dev.penstock.kit.management.Readiness;
import dev.penstock.kit.membership.Membership;
import dev.penstock.kit.run.RunningService;
import dev.penstock.kit.trace.Tracing;
import dev.penstock.router.ingress.IngressVerticle;
import dev.penstock.router.job.Jobs;
import dev.penstock.router.session.RedisPins;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A router that runs, and how it stops: unready, drained, then closed. */
public record RunningRouter(
        Vertx vertx,
        String name,
        Readiness readiness,
        ManagementServer management,
        List<IngressVerticle> listeners,
        KafkaBus bus,
        Membership members,
        RedisPins pins,
        Jobs jobs,
        Tracing tracing,
        Duration grace)
        implements RunningService {
    private static final Logger LOG = LoggerFactory.getLogger(RunningRouter.class);
    private static final long PROGRESS_MILLIS = 5_000;

    private void logProgress() {
        int running = listeners.stream().mapToInt(IngressVerticle::running).sum();
        LOG.atInfo().addKeyValue(LogKeys.COUNT, running).log("draining: {} requests run", running);
    }

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
        long progress = vertx.setPeriodic(PROGRESS_MILLIS, timer -> logProgress());
        return Future.join(listeners.stream()
                        .map(listener -> listener.drain(grace))
                        .toList())
                .onComplete(drained -> vertx.cancelTimer(progress))
                .transform(drained ->
                        Future.join(members.close(), pins.close(), jobs.close(), bus.close(), management.close()))
                .transform(closed -> vertx.executeBlocking(
                        () -> {
                            tracing.close();
                            return null;
                        },
                        false))
                .transform(closed -> Future.succeededFuture());
    }
}
