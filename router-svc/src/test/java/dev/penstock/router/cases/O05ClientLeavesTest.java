package dev.penstock.router.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.Await;
import dev.penstock.testkit.raw.Plan;
import dev.penstock.testkit.raw.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** When the client leaves, the engine's connection is closed within a second, nobody else gets the request, nobody is blamed. */
@ExtendWith(CaseExtension.class)
class O05ClientLeavesTest {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final Duration AT_ONCE = Duration.ofSeconds(1);
    private static final String CONTENT = "{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}";

    /** How a client leaves. */
    private interface Leaving {
        void leave(RawClient client) throws Exception;
    }

    private final RouterScene scene;

    O05ClientLeavesTest(RouterScene scene) {
        this.scene = scene;
    }

    @Test
    void a_reset_before_any_answer_reaches_the_engine() throws Exception {
        leaves_before_the_answer(RawClient::reset, 1);
    }

    @Test
    void a_close_before_any_answer_reaches_the_engine() throws Exception {
        leaves_before_the_answer(RawClient::close, 1);
    }

    @Test
    void fifty_who_leave_at_once_reach_the_engines() throws Exception {
        leaves_before_the_answer(RawClient::close, 50);
    }

    @Test
    void a_close_in_a_silent_stream_reaches_the_engine() throws Exception {
        try (Fleet fleet = scene.fleet(2)) {
            fleet.plan(Plan.stream().event(CONTENT).event(CONTENT).hold());
            Outcomes before = scene.outcomes();
            RawClient client = RawClient.connect(scene.port()).send(Requests.stream(fleet));
            client.await("two events", SOON, received -> received.text().split(CONTENT_PATTERN, -1).length == 3);

            client.close();

            cancelled(fleet, 1, before);
        }
    }

    @Test
    void a_body_that_never_comes_whole_reaches_nobody() throws Exception {
        try (Fleet fleet = scene.fleet(2)) {
            Outcomes before = scene.outcomes();
            RawClient client = RawClient.connect(scene.port());
            client.send(Requests.head("POST " + Requests.CHAT, "Content-Length: 20000000"))
                    .send(new byte[1_000_000]);

            client.close();

            Await.until("its memory is given back", AT_ONCE, () -> scene.operations("/metrics")
                    .body()
                    .contains("\npenstock_router_body_bytes 0.0"));
            assertThat(fleet.count()).isZero();
            assertThat(scene.outcomes().since(before).counts()).isEmpty();
            fleet.awaitIdle();
        }
    }

    @Test
    void a_connect_that_comes_to_nothing_is_not_followed_by_another() throws Exception {
        try (Fleet fleet = scene.fleet(2);
                FullListener unused = FullListener.takeOver(fleet.u(1))) {
            RawClient client = RawClient.connect(scene.port());
            Await.until("one hangs in its connect", SOON, () -> {
                if (fleet.inflight(1) == 1) return true;
                send(client, Requests.plain(fleet));
                return false;
            });
            int elsewhere = fleet.u(2).log().count();

            client.close();

            Await.until("given up", SOON, () -> fleet.inflight(1) == 0);
            fleet.awaitIdle();
            assertThat(fleet.u(2).log().count())
                    .as("no attempt after the close")
                    .isEqualTo(elsewhere);
        }
    }

    private static void send(RawClient client, byte[] request) {
        try {
            client.send(request);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final String CONTENT_PATTERN = "\"content\":\"a\"";

    private void leaves_before_the_answer(Leaving leaving, int clients) throws Exception {
        try (Fleet fleet = scene.fleet(2)) {
            fleet.plan(Plan.start().hold());
            Outcomes before = scene.outcomes();
            List<RawClient> connected = Together.run(
                    clients, clients, i -> () -> RawClient.connect(scene.port()).send(Requests.plain(fleet)));
            Await.until("all at engines", SOON, () -> fleet.count() == clients);

            for (RawClient client : connected) leaving.leave(client);

            cancelled(fleet, clients, before);
        }
    }

    private void cancelled(Fleet fleet, int requests, Outcomes before) {
        Await.until("closed at the engines", AT_ONCE, () -> closed(fleet) == requests);
        fleet.awaitIdle();
        assertThat(fleet.count()).as("no failover").isEqualTo(requests);
        assertThat(fleet.quarantined()).isFalse();
        Map<String, Long> expected = Map.of("client_abort", (long) requests);
        Await.value("outcomes", SOON, () -> scene.outcomes().since(before).counts(), expected::equals);
    }

    private static int closed(Fleet fleet) {
        return fleet.replicas().stream()
                .mapToInt(replica -> replica.log().peerClosed())
                .sum();
    }
}
