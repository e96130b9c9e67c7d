package dev.penstock.router.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.Await;
import dev.penstock.testkit.RawHttp.Response;
import dev.penstock.testkit.raw.RawClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A session's pin goes where its request went, for all routers, and stays there when the old replica comes back. */
@ExtendWith(CaseExtension.class)
class O16SessionPinsTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    private static RouterScene second;

    private final RouterScene first;

    O16SessionPinsTest(RouterScene scene) {
        this.first = scene;
    }

    @BeforeAll
    static void start(CaseInfra infra) {
        second = RouterScene.start(infra, "second", RouterScene.USUAL);
    }

    @AfterAll
    static void stop() {
        second.close();
    }

    @Test
    void a_session_whose_replica_is_gone_moves_once_and_for_all_routers() throws Exception {
        try (Fleet fleet = known(2)) {
            String lost = turn(first, fleet, "gone");
            for (int i = 0; i < 2; i++) assertThat(turn(first, fleet, "gone")).isEqualTo(lost);
            Await.until(
                    "known to both", SOON, () -> turnOf(second, fleet, "gone").equals(lost));
            int dead = fleet.nameOf(1).equals(lost) ? 1 : 2;
            String left = fleet.nameOf(3 - dead);

            fleet.u(dead).die();
            assertThat(turn(second, fleet, "gone")).isEqualTo(left);
            assertThat(turn(first, fleet, "gone")).isEqualTo(left);
            fleet.u(dead).listen();
            Await.until("back in both", SOON, () -> usedBy(first, lost) && usedBy(second, lost));

            for (int i = 0; i < 10; i++)
                assertThat(turn(i % 2 == 0 ? first : second, fleet, "gone"))
                        .as("turn " + i)
                        .isEqualTo(left);
        }
    }

    @Test
    void first_turns_at_once_through_two_routers_end_on_one_replica() throws Exception {
        try (Fleet fleet = known(4)) {
            List<String> taken = Together.run(20, 20, i -> () -> turn(i % 2 == 0 ? first : second, fleet, "at once"));

            assertThat(new HashSet<>(taken)).hasSizeLessThanOrEqualTo(2);
            Await.until(
                    "one owner", SOON, () -> turnOf(first, fleet, "at once").equals(turnOf(second, fleet, "at once")));
            String owner = turn(first, fleet, "at once");
            for (int i = 0; i < 4; i++)
                assertThat(turn(i % 2 == 0 ? first : second, fleet, "at once")).isEqualTo(owner);
        }
    }

    @Test
    void odd_keys_are_opaque_and_told_to_nobody() throws Exception {
        List<String> keys = List.of("long" + "g".repeat(300), "line\\u000d\\u000abreak", "water-你", "");
        try (Fleet fleet = known(2);
                LogTap log = LogTap.open()) {
            for (String key : keys) {
                String owner = fieldTurn(first, fleet, key);
                if (key.isEmpty()) continue;
                for (int i = 0; i < 3; i++)
                    assertThat(fieldTurn(first, fleet, key)).isEqualTo(owner);
            }
            assertThat(turn(first, fleet, "h".repeat(300))).isNotEmpty();

            List<String> told = new ArrayList<>(log.lines());
            told.add(redisKeys());
            assertThat(redisKeys()).contains("penstock:pin:");
            assertThat(String.join("\n", told))
                    .doesNotContain("ggggg")
                    .doesNotContain("hhhhh")
                    .doesNotContain("break")
                    .doesNotContain("water-");
        }
    }

    /** Known to both routers. */
    private Fleet known(int replicas) {
        Fleet fleet = first.fleet(replicas);
        Set<String> names = new HashSet<>();
        for (int i = 1; i <= replicas; i++) names.add(fleet.nameOf(i));
        Await.until("known to the other router", SOON, () -> names.stream().allMatch(name -> usedBy(second, name)));
        return fleet;
    }

    /** A candidate that the router does not shut out. */
    private static boolean usedBy(RouterScene router, String replica) {
        for (var entry : router.view().path("replicas")) {
            if (entry.path("name").asText().equals(replica)) {
                return entry.path("candidate").asBoolean()
                        && !entry.path("quarantine").asText().equals("shut");
            }
        }
        return false;
    }

    private static String turnOf(RouterScene router, Fleet fleet, String key) {
        try {
            return turn(router, fleet, key);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Which replica took it. */
    private static String turn(RouterScene router, Fleet fleet, String key) throws Exception {
        return replica(RawClient.exchange(router.port(), Requests.plain(fleet, "X-Session-Id: " + key), SOON)
                .answer());
    }

    private static String fieldTurn(RouterScene router, Fleet fleet, String key) throws Exception {
        String body = "{\"model\":\"" + fleet.model() + "\",\"user\":\"" + key + "\",\"messages\":[]}";
        return replica(
                RawClient.exchange(router.port(), Requests.chat(body), SOON).answer());
    }

    private static String replica(Response answer) {
        assertThat(answer.status()).as(answer.bodyText()).isEqualTo(200);
        return String.valueOf(answer.header("x-penstock-replica"));
    }

    private String redisKeys() throws Exception {
        int port = first.infra().infra().redis().port();
        try (RawClient redis = RawClient.connect(port)) {
            return redis.send("KEYS *\r\nPING\r\n").awaitText("+PONG", SOON).text();
        }
    }
}
