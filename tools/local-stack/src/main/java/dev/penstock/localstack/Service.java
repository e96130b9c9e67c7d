package dev.penstock.localstack;

import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.config.ConfigTree;
import dev.penstock.kit.run.RunningService;
import dev.penstock.kit.run.ServiceContext;
import dev.penstock.kit.run.ServiceThreads;
import dev.penstock.kit.run.ServiceVertx;
import dev.penstock.kit.run.Starter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One service with a Vertx of its own, started by the same wiring as its process. */
record Service(String name, Vertx vertx, RunningService running) {
    private static final int EVENT_LOOPS = 2;
    private static final int START_SECONDS = 30;

    /** Started on a thread of its own group, so that its log lines carry its name. */
    static Service start(String name, @Nullable Path config, Map<String, String> settings, Starter starter)
            throws Exception {
        FutureTask<Service> start = new FutureTask<>(() -> startHere(name, config, settings, starter));
        new Thread(new ServiceThreads(name), start, name + "-start").start();
        try {
            return start.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    private static Service startHere(String name, @Nullable Path config, Map<String, String> settings, Starter starter)
            throws Exception {
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Vertx vertx = ServiceVertx.create(EVENT_LOOPS, meters);
        ServiceContext context =
                new ServiceContext(vertx, ConfigTree.load(config, settings), meters, Incarnation.fresh(name));
        try {
            return new Service(name, vertx, await(starter.start(context), START_SECONDS));
        } catch (Exception e) {
            await(vertx.close(), START_SECONDS);
            throw e;
        }
    }

    void stop(Duration grace) throws Exception {
        await(running.shutdown(grace), grace.toSeconds() + 10);
        await(vertx.close(), 10);
    }

    /** Waits on a thread that is not an event loop; the failure itself is thrown, not its wrapper. */
    static <T> T await(Future<T> future, long seconds) throws Exception {
        try {
            return future.toCompletionStage().toCompletableFuture().get(seconds, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }
}
