package dev.penstock.router.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.view.FleetView;
import dev.penstock.testkit.record.ReplicaBuilder;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FleetSubscriberTest {
    @TempDir
    Path data;

    private final Vertx vertx = Vertx.vertx();
    private final FleetView view = new FleetView("router-t", 1);

    @AfterEach
    void stop() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @Test
    void a_cache_is_lost_with_its_engine_and_not_otherwise() {
        List<String> lost = new ArrayList<>();
        FleetSubscriber subscriber = new FleetSubscriber(
                view,
                new RosterCopy(vertx, view, new RosterFile(data, "router-t")),
                new PeerAddresses("router-t"),
                (policy, nanos) -> {},
                replica -> lost.add(replica.number() + " " + replica.uid()));
        ReplicaBuilder first = ReplicaBuilder.replica(1);

        subscriber.apply(first.present(), 1);
        subscriber.apply(first.readyForMillis(5_000).present(), 2);
        subscriber.apply(ReplicaBuilder.replica(2).present(), 3);
        assertThat(lost).isEmpty();

        subscriber.apply(first.uid("uid-2").present(), 4);
        assertThat(lost).containsExactly("1 uid-1");

        subscriber.apply(first.uid("uid-2").gone(), 5);
        subscriber.apply(first.uid("uid-2").gone(), 6);
        subscriber.apply(first.uid("uid-3").present(), 7);
        assertThat(lost).containsExactly("1 uid-1", "1 uid-2");
    }
}
