package dev.penstock.kit.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.Await;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PeriodicTaskTest {
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    @Test
    void a_run_never_overlaps_the_one_before() {
        AtomicInteger runs = new AtomicInteger();
        AtomicReference<Promise<Void>> open = new AtomicReference<>();
        PeriodicTask task = PeriodicTask.start(vertx, "slow", Duration.ofMillis(5), 0.2, () -> {
            runs.incrementAndGet();
            Promise<Void> run = Promise.promise();
            open.set(run);
            return run.future();
        });
        Await.until("the first run", Duration.ofSeconds(2), () -> open.get() != null);
        vertx.timer(60).toCompletionStage().toCompletableFuture().join();
        assertThat(runs).hasValue(1);

        open.get().complete();

        Await.until("the second run", Duration.ofSeconds(2), () -> runs.get() == 2);
        task.close();
    }

    @Test
    void a_failure_does_not_end_it_and_closing_does() {
        AtomicInteger runs = new AtomicInteger();
        PeriodicTask task = PeriodicTask.start(vertx, "failing", Duration.ofMillis(5), 0, () -> {
            if (runs.incrementAndGet() % 2 == 0) throw new IllegalStateException("thrown");
            return Future.failedFuture("failed");
        });
        Await.until("more runs", Duration.ofSeconds(2), () -> runs.get() >= 4);

        task.close();

        vertx.timer(20).toCompletionStage().toCompletableFuture().join();
        int after = runs.get();
        vertx.timer(50).toCompletionStage().toCompletableFuture().join();
        assertThat(runs).hasValue(after);
    }
}
