package dev.penstock.router.cases;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.record.ReplicaBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Replicas that a test brings itself, of a model that nobody else serves; gone from the roster when it is over. */
final class Guests implements AutoCloseable {
    private static final Duration SOON = Duration.ofSeconds(10);

    private final RouterScene scene;
    private final List<ReplicaBuilder> entries = new ArrayList<>();

    private Guests(RouterScene scene) {
        this.scene = scene;
    }

    /** All are candidates when it returns. */
    static Guests join(RouterScene scene, String model, int... ports) {
        Guests guests = new Guests(scene);
        for (int port : ports) guests.entries.add(scene.infra().feed().add(model, port));
        guests.awaitKnown(scene);
        return guests;
    }

    /** Until they are candidates of another router too. */
    void awaitKnown(RouterScene other) {
        Await.until("all are candidates", SOON, () -> {
            JsonNode view = other.view();
            return entries.stream()
                    .allMatch(entry -> entry(view, entry).path("candidate").asBoolean());
        });
    }

    /** What the router has in flight at all of them. */
    int inflight() {
        JsonNode view = scene.view();
        return entries.stream()
                .mapToInt(entry -> entry(view, entry).path("own").asInt())
                .sum();
    }

    /** The contract of every ending: nothing is in flight within a second. */
    void awaitIdle() {
        Await.value("nothing in flight", Duration.ofSeconds(1), this::inflight, count -> count == 0);
    }

    @Override
    public void close() {
        entries.forEach(scene.infra().feed()::remove);
        Await.until("all are gone", SOON, () -> {
            JsonNode view = scene.view();
            return entries.stream().allMatch(entry -> entry(view, entry).isMissingNode());
        });
    }

    private static JsonNode entry(JsonNode view, ReplicaBuilder replica) {
        for (JsonNode entry : view.path("replicas")) {
            if (entry.path("number").asInt() == replica.number()) return entry;
        }
        return view.path("none");
    }
}
