package dev.penstock.router.cases;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.raw.RawClient;
import dev.penstock.testkit.raw.SeenRequest;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** However a request ends, what it had in flight is given back, once. */
@ExtendWith(CaseExtension.class)
class O15InFlightTest {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final Duration AT_REST = Duration.ofSeconds(2);
    private static final int EACH = 50;
    private static final int MIXED = 1_400;
    private static final int AT_ONCE = 200;
    private static final long SEED = 15;

    private final RouterScene scene;

    O15InFlightTest(RouterScene scene) {
        this.scene = scene;
    }

    @ParameterizedTest
    @EnumSource
    void nothing_is_in_flight_after(Ending ending) throws Exception {
        try (Fleet fleet = scene.fleet(2)) {
            fleet.script(request -> ending.plan());

            nothing_is_left(fleet, EACH, EACH, i -> ending);
        }
    }

    @Test
    void nothing_is_in_flight_after_connects_were_refused() throws Exception {
        try (Fleet fleet = scene.fleet(3)) {
            fleet.script(request -> Ending.JSON.plan());
            fleet.u(3).die();

            nothing_is_left(fleet, EACH, EACH, i -> Ending.JSON);
        }
    }

    @Test
    void nothing_is_in_flight_after_all_of_it_at_once() throws Exception {
        Ending[] endings = Ending.values();
        try (Fleet fleet = scene.fleet(2)) {
            fleet.script(request -> ending(request).plan());

            nothing_is_left(fleet, MIXED, AT_ONCE, i -> endings[i % endings.length]);
        }
    }

    private interface Endings {
        Ending of(int request);
    }

    private void nothing_is_left(Fleet fleet, int requests, int atOnce, Endings endings) throws Exception {
        Random random = new Random(SEED);
        int[] jitterMillis = random.ints(requests, 0, 20).toArray();
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger lowest = new AtomicInteger();
        try (VectorTap told = VectorTap.open(scene)) {
            Thread sampling = Thread.ofVirtual().start(() -> sample(over, lowest));

            Together.run(requests, atOnce, i -> () -> {
                try (RawClient client = RawClient.connect(scene.port())) {
                    endings.of(i).client(client, fleet, Duration.ofMillis(jitterMillis[i]));
                }
                return true;
            });

            Await.value("nothing in flight", AT_REST, fleet::inflight, count -> count == 0);
            over.set(true);
            sampling.join();
            assertThat(lowest.get()).isZero();
            Await.until("told so", AT_REST, () -> toldCount(fleet, told) == 0);
            assertThat(told.lowest()).isZero();
            Await.until("engines at rest", SOON, () -> fleet.replicas().stream()
                    .allMatch(replica -> replica.log().running() == 0));
        }
    }

    private static int toldCount(Fleet fleet, VectorTap told) {
        int sum = 0;
        for (int i = 1; i <= fleet.replicas().size(); i++) sum += told.count(fleet.numberOf(i));
        return sum;
    }

    /** Twenty times a second. */
    private void sample(AtomicBoolean over, AtomicInteger lowest) {
        while (!over.get()) {
            for (JsonNode replica : scene.view().path("replicas")) {
                lowest.accumulateAndGet(replica.path("own").asInt(), Math::min);
            }
            LockSupport.parkNanos(50_000_000);
        }
    }

    private static Ending ending(SeenRequest request) {
        return Ending.valueOf(request.values(Ending.HEADER).getFirst());
    }
}
