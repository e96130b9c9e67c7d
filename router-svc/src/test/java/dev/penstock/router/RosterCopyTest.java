package dev.penstock.router;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.view.FleetView;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.kit.run.ServiceVertx;
import dev.penstock.model.RosterRecord;
import dev.penstock.router.fleet.RosterCopy;
import dev.penstock.router.fleet.RosterFile;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.record.ReplicaBuilder;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A router that starts while Kafka is away: what its roster copy on disk is good for, and when it stops being believed. */
class RosterCopyTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final String MODEL = "org/m-7b";

    @TempDir
    Path data;

    private final FleetView view = new FleetView("router-t", 1);
    private Vertx vertx;
    private Context writer;
    private RosterCopy copy;
    private int honest;
    private int changed;

    @BeforeEach
    void start() throws Exception {
        vertx = ServiceVertx.create(1, new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
        honest = engine(MODEL);
        changed = engine("org/another");
        FleetView before = new FleetView("router-t", 1);
        before.apply(record(1, honest));
        before.apply(record(2, changed));
        RosterFile file = new RosterFile(data, "router-t");
        file.write(before.current());
        copy = new RosterCopy(vertx, view, file);
        writer = vertx.getOrCreateContext();
    }

    @AfterEach
    void stop() throws Exception {
        await(vertx.close());
    }

    @Test
    void without_kafka_the_copy_is_used_where_an_endpoint_still_serves_its_model() {
        writer.runOnContext(go -> copy.useUnlessCaughtUp(1));

        Await.until("the honest one is a candidate", SOON, () -> candidate(1));
        assertThat(candidate(2)).isFalse();
    }

    @Test
    void what_kafkas_roster_does_not_confirm_leaves_once_it_is_read() {
        writer.runOnContext(go -> copy.useUnlessCaughtUp(1));
        Await.until("in the view", SOON, () -> view.current().entries().size() == 2);

        writer.runOnContext(go -> {
            copy.confirmed(1);
            copy.caughtUp();
        });

        Await.until("one is left", SOON, () -> view.current().entries().size() == 1);
        assertThat(view.current().byNumber(1)).isNotNull();
    }

    @Test
    void an_empty_roster_refutes_nobody() {
        writer.runOnContext(go -> copy.useUnlessCaughtUp(1));
        Await.until("in the view", SOON, () -> view.current().entries().size() == 2);
        Future<Void> read = Future.future(promise -> writer.runOnContext(go -> {
            copy.caughtUp();
            promise.complete();
        }));

        Await.until("read", SOON, read::isComplete);
        assertThat(view.current().entries()).hasSize(2);
    }

    @Test
    void a_copy_is_not_needed_once_kafka_answered() throws Exception {
        Future<Void> looked = Future.future(promise -> writer.runOnContext(go -> {
            copy.confirmed(7);
            copy.caughtUp();
            copy.useUnlessCaughtUp(1);
            vertx.setTimer(50, timer -> promise.complete());
        }));

        await(looked);
        assertThat(view.current().entries()).isEmpty();
    }

    private boolean candidate(int number) {
        ReplicaEntry entry = view.current().byNumber(number);
        return entry != null && entry.cell().candidate();
    }

    private int engine(String model) throws Exception {
        return await(vertx.createHttpServer()
                        .requestHandler(request -> request.response().end("{\"data\":[{\"id\":\"" + model + "\"}]}"))
                        .listen(0, "127.0.0.1"))
                .actualPort();
    }

    private static RosterRecord record(int number, int port) {
        return ReplicaBuilder.replica(number).port(port).serving(MODEL).present();
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }
}
