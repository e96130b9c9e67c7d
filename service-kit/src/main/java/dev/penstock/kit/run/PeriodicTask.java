package dev.penstock.kit.run;

import dev.penstock.kit.log.LogKeys;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a body at once and then each period, give or take the jitter (a share of the period, so that instances do not
 * march in step), on the context that started it. A run that takes longer than the period delays the next: never two at
 * a time. Failures are logged when they begin and when they end. Written on that context only, except closed.
 */
public final class PeriodicTask {
    private static final Logger LOG = LoggerFactory.getLogger(PeriodicTask.class);

    private final Vertx vertx;
    private final Context context;
    private final String name;
    private final Duration period;
    private final double jitter;
    private final Supplier<Future<?>> body;
    private volatile boolean closed;
    private boolean failing;
    private long timer = -1;

    private PeriodicTask(Vertx vertx, String name, Duration period, double jitter, Supplier<Future<?>> body) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.name = name;
        this.period = period;
        this.jitter = jitter;
        this.body = body;
    }

    public static PeriodicTask start(
            Vertx vertx, String name, Duration period, double jitter, Supplier<Future<?>> body) {
        PeriodicTask task = new PeriodicTask(vertx, name, period, jitter, body);
        task.context.runOnContext(start -> task.run());
        return task;
    }

    public static PeriodicTask start(Vertx vertx, String name, Duration period, double jitter, Runnable body) {
        Supplier<Future<?>> supplier = () -> {
            body.run();
            return Future.succeededFuture();
        };
        return start(vertx, name, period, jitter, supplier);
    }

    /** A run that is under way ends by itself; none follows. */
    public void close() {
        closed = true;
        context.runOnContext(end -> vertx.cancelTimer(timer));
    }

    private void run() {
        if (closed) return;
        long start = System.nanoTime();
        attempt()
                .onComplete(result -> context.runOnContext(done -> {
                    note(result.cause());
                    next(start);
                }));
    }

    private Future<?> attempt() {
        try {
            return body.get();
        } catch (RuntimeException | Error failure) {
            return Future.failedFuture(failure);
        }
    }

    private void next(long start) {
        if (closed) return;
        double factor = 1 + jitter * (2 * ThreadLocalRandom.current().nextDouble() - 1);
        long sinceMillis = (System.nanoTime() - start) / 1_000_000;
        long delay = Math.max(1, Math.round(period.toMillis() * factor) - sinceMillis);
        timer = vertx.setTimer(delay, due -> run());
    }

    private void note(@Nullable Throwable failure) {
        if (failure != null && !failing) {
            LOG.atWarn().setCause(failure).addKeyValue(LogKeys.TASK, name).log("periodic task fails");
        } else if (failure == null && failing) {
            LOG.atInfo().addKeyValue(LogKeys.TASK, name).log("periodic task works again");
        }
        failing = failure != null;
    }
}
