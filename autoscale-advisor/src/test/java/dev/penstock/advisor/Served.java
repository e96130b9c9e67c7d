package dev.penstock.advisor;

import dev.penstock.advisor.advice.PoolReplicas;
import dev.penstock.advisor.advice.Recommendations;
import dev.penstock.advisor.advice.TargetBoard;
import dev.penstock.core.scale.AdviceTimes;
import dev.penstock.model.Header;
import dev.penstock.model.PoolId;
import dev.penstock.model.PoolTarget;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.record.ReplicaBuilder;
import dev.penstock.wire.PoolTargetCodec;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** A pool with replicas and what was published for it, on a context as in the advisor, without Kafka. */
public final class Served implements AutoCloseable {
    public static final PoolId POOL = PoolId.localFor(ReplicaBuilder.MODEL);
    public static final PoolId SILENT = new PoolId("local", "silent");

    public final Vertx vertx = Vertx.vertx();
    public final ManualClock clock = new ManualClock();
    public final PoolReplicas replicas = new PoolReplicas();
    public final TargetBoard board = new TargetBoard();
    public final Recommendations recommendations =
            new Recommendations(board, replicas, () -> Set.of(SILENT), AdviceTimes.DEFAULT, clock);
    private final Context context = vertx.getOrCreateContext();
    private long sequence;

    public Served(int present) {
        board.caughtUp();
        for (int i = 0; i < present; i++) {
            replicas.record("engine-" + i, ReplicaBuilder.replica(i).present());
        }
    }

    public void publish(int desired, boolean active) throws Exception {
        PoolTarget target = new PoolTarget(
                new Header("advisor", 1, ++sequence, 7, clock.getAsLong()),
                POOL,
                desired,
                3,
                412_500,
                Map.of("needed", (double) desired),
                active,
                "",
                500_000,
                16);
        on(() -> board.record(POOL.toString(), PoolTargetCodec.encode(target), clock.getAsLong()));
    }

    /** Runs it where the servers run. */
    public <T> T on(Callable<T> what) throws Exception {
        Promise<T> done = Promise.promise();
        context.runOnContext(run -> {
            try {
                done.complete(what.call());
            } catch (Exception | AssertionError e) {
                done.fail(e);
            }
        });
        return join(done.future());
    }

    public static <T> T join(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(15, TimeUnit.SECONDS);
    }

    @Override
    public void close() throws Exception {
        join(vertx.close());
    }
}
