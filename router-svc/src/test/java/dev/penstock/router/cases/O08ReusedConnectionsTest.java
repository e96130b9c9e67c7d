package dev.penstock.router.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.raw.Plan;
import dev.penstock.testkit.raw.RawClient;
import dev.penstock.testkit.raw.Script;
import dev.penstock.testkit.raw.SeenRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Engines close idle connections when they like; no client sees it, and nothing late hits a connection's next owner. */
@ExtendWith(CaseExtension.class)
class O08ReusedConnectionsTest {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final Plan GOOD = Plan.json(200, "{}");

    private final RouterScene scene;

    O08ReusedConnectionsTest(RouterScene scene) {
        this.scene = scene;
    }

    @Test
    void a_reset_of_a_reused_connection_is_invisible() throws Exception {
        try (Fleet fleet = scene.fleet(1)) {
            fleet.script(Script.perConnection(GOOD, Plan.start().reset()));

            assertThat(oneAfterTheOther(fleet, 200, Duration.ZERO)).containsOnly(200);

            assertThat(fleet.count()).as("connections were reused").isGreaterThan(250);
            no_third_attempt(fleet);
            assertThat(fleet.quarantined()).isFalse();
        }
    }

    @Test
    void a_close_that_crosses_the_next_request_is_invisible() throws Exception {
        try (Fleet fleet = scene.fleet(1)) {
            fleet.plan(GOOD.waits(20).fin());

            assertThat(oneAfterTheOther(fleet, 100, Duration.ofMillis(20))).containsOnly(200);

            no_third_attempt(fleet);
            assertThat(fleet.quarantined()).isFalse();
        }
    }

    @Test
    void a_connection_that_its_engine_will_close_is_not_reused() throws Exception {
        try (Fleet fleet = scene.fleet(1)) {
            fleet.plan(Plan.answer(200, "application/json", "{}", "Connection: close")
                    .waits(500)
                    .fin());

            assertThat(oneAfterTheOther(fleet, 3, Duration.ZERO)).containsOnly(200);

            assertThat(fleet.requests()).extracting(SeenRequest::connection).doesNotHaveDuplicates();
        }
    }

    @Test
    void a_connection_is_not_reused_after_the_time_its_engine_named() throws Exception {
        try (Fleet fleet = scene.fleet(1)) {
            fleet.plan(Plan.answer(200, "application/json", "{}", "Keep-Alive: timeout=1"));

            assertThat(oneAfterTheOther(fleet, 2, Duration.ofMillis(1_100))).containsOnly(200);

            assertThat(fleet.requests()).extracting(SeenRequest::connection).doesNotHaveDuplicates();
        }
    }

    @Test
    void a_limit_of_a_request_that_is_over_does_not_touch_the_next_one() throws Exception {
        try (Fleet fleet = scene.fleet("org/deadline", 1);
                RawClient client = RawClient.connect(scene.port())) {
            fleet.script(Script.inTurn(GOOD, Plan.start().waits(200).then(GOOD)));

            client.send(Requests.plain(fleet)).awaitAnswers(1, SOON);
            client.waits(Duration.ofMillis(250)).send(Requests.plain(fleet));

            assertThat(client.awaitAnswers(2, SOON).statuses()).containsExactly(200, 200);
            assertThat(fleet.requests()).extracting(SeenRequest::connection).containsExactly(1, 1);
        }
    }

    /** Answers come within the hundred milliseconds in which deadlines are looked at, now before and now after. */
    @Test
    void a_limit_that_passes_as_the_answer_ends_does_not_touch_the_next_one() throws Exception {
        int clients = 20;
        int rounds = 6;
        try (Fleet fleet = scene.fleet("org/deadline", 1)) {
            fleet.script(request -> {
                String wait = request.values("x-wait").getFirst();
                return Plan.start().waits(Integer.parseInt(wait)).then(GOOD);
            });

            List<List<Integer>> statuses = Together.run(clients, clients, client -> () -> {
                List<Integer> seen = new ArrayList<>();
                for (int round = 0; round < rounds; round++) {
                    int wait = 290 + (client * rounds + round) % 120;
                    try (RawClient raw = RawClient.connect(scene.port())) {
                        raw.send(Requests.plain(fleet, "X-Wait: " + wait));
                        assertThat(raw.awaitAnswers(1, SOON).statuses().getFirst())
                                .isIn(200, 504);
                    }
                    byte[] next = Requests.plain(fleet, "X-Wait: 0");
                    seen.add(RawClient.exchange(scene.port(), next, SOON)
                            .statuses()
                            .getFirst());
                }
                return seen;
            });

            assertThat(statuses).allSatisfy(seen -> assertThat(seen).containsOnly(200));
            fleet.awaitIdle();
        }
    }

    /** The statuses of requests on one connection, each so long after the answer to the one before. */
    private List<Integer> oneAfterTheOther(Fleet fleet, int count, Duration pause) throws Exception {
        List<Integer> statuses = new ArrayList<>();
        try (RawClient client = RawClient.connect(scene.port())) {
            for (int i = 1; i <= count; i++) {
                client.send(Requests.plain(fleet, "X-Marker: " + i));
                statuses.add(client.awaitAnswers(i, SOON).statuses().getLast());
                if (!pause.isZero()) client.waits(pause);
            }
        }
        return statuses;
    }

    private static void no_third_attempt(Fleet fleet) {
        Map<String, Long> attempts = fleet.requests().stream()
                .collect(Collectors.groupingBy(seen -> seen.values("x-marker").getFirst(), Collectors.counting()));
        assertThat(attempts.values()).allMatch(count -> count <= 2);
    }
}
