package dev.penstock.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.testkit.Await;
import dev.penstock.testkit.RawHttp;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** What routers say of requests that went through them, while there are others and an engine breaks. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ExplainTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int ENGINES = 4;
    private static final int PER_SECOND = 40;
    private static final int REQUESTS = 50;
    /** The page gives thousandths. */
    private static final double ROUNDED = 0.002;

    private static final String BROKEN = "engine-1";

    @TempDir
    static Path data;

    private static Suite suite;

    /** A request that was answered, and what its router says of its last attempt. */
    private record Explained(RawHttp.Response answer, JsonObject attempt) {
        /** The reason code, whatever is told beside it. */
        String decision() {
            return String.valueOf(answer.header("x-penstock-decision")).replaceAll(";.*", "");
        }

        List<JsonObject> candidates() {
            return attempt.getJsonArray("candidates").stream()
                    .map(JsonObject.class::cast)
                    .toList();
        }

        JsonObject candidate(String name) {
            return candidates().stream()
                    .filter(each -> each.getString("replica").equals(name))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @BeforeAll
    static void up() throws Exception {
        configure("load-balance");
        suite = Suite.start(data, 2, ENGINES, "--engines", "" + ENGINES, "--config", config().toString());
    }

    @AfterAll
    static void down() throws Exception {
        Suite.close(suite);
    }

    @Test
    @Order(1)
    void an_id_is_explained_by_the_numbers_that_it_was_routed_by() {
        try (OpenLoad first = load(0);
                OpenLoad second = load(1)) {
            awaitLoad(first);
            awaitLoad(second);
            for (int i = 0; i < REQUESTS; i++) check(explained(i % 2));
        }
    }

    private static void check(Explained explained) {
        JsonObject attempt = explained.attempt();
        assertThat(attempt.getString("picked")).isEqualTo(explained.answer().header("x-penstock-replica"));
        assertThat(attempt.getString("decision")).isEqualTo(explained.decision());
        assertThat(attempt.getBoolean("agrees")).as(attempt.encodePrettily()).isTrue();
        assertThat(attempt.getString("reDecided")).isEqualTo(attempt.getString("picked"));
        assertThat(attempt.getString("strategy")).isEqualTo("load-balance");
        assertThat(attempt.getJsonObject("counts").stream()
                        .mapToInt(each -> (int) each.getValue())
                        .sum())
                .isEqualTo(ENGINES);
        assertThat(explained.candidates()).isNotEmpty();
        for (JsonObject each : explained.candidates()) {
            assertThat(each.getInteger("own") + each.getDouble("peers") + each.getDouble("bias"))
                    .as(each.encodePrettily())
                    .isCloseTo(each.getDouble("load"), within(ROUNDED));
            assertThat(each.getDouble("bias") > 0
                            && each.getJsonArray("biasCauses").isEmpty())
                    .as("bias without a cause")
                    .isFalse();
            boolean picked = each.getString("replica").equals(attempt.getString("picked"));
            assertThat(each.getBoolean("picked")).isEqualTo(picked);
            assertThat(each.getString("wouldWin").startsWith("won: ")).isEqualTo(picked);
            if (picked) assertThat(each.getBoolean("nearTie")).isTrue();
        }
    }

    @Test
    @Order(2)
    void any_router_answers_as_the_one_that_decided() {
        Explained explained = explained(0);
        String page = "/debug/decisions/" + explained.answer().header("x-request-id");
        int otherPort = suite.routerPorts().get(1);

        JsonObject other = Await.value(
                "router-1 knows router-0's address",
                SOON,
                () -> new JsonObject(Suite.get(otherPort + 1, page)),
                answer -> answer.containsKey("attempts"));

        JsonObject own = new JsonObject(Suite.get(suite.routerPorts().get(0) + 1, page));
        assertThat(other.getString("router")).isEqualTo("router-0");
        assertThat(withoutAges(other)).isEqualTo(withoutAges(own));
    }

    /** Ages go on between two looks. */
    private static String withoutAges(JsonObject page) {
        return page.encodePrettily().replaceAll("\"agoMs\" : \\d+", "");
    }

    @Test
    @Order(2)
    void a_router_that_nobody_heard_is_named() {
        int port = suite.routerPorts().get(1) + 1;

        JsonObject answer = new JsonObject(Suite.get(port, "/debug/decisions/router-9-mb2k4v0q1c8"));

        assertThat(answer.getString("router")).isEqualTo("router-9");
        assertThat(answer.getString("error")).contains("router-9").contains("heard: [router-0]");
    }

    @Test
    @Order(3)
    void a_broken_engine_appears_under_what_keeps_it_out() throws Exception {
        suite.fault(BROKEN, "error", "500");
        try (OpenLoad first = load(0);
                OpenLoad second = load(1)) {
            for (int router = 0; router < 2; router++) {
                int asked = router;
                Explained explained = Await.value(
                        "it is kept out", SOON, () -> explained(asked), seen -> Set.of("quarantined", "soft", "hard")
                                .contains(seen.candidate(BROKEN).getString("standing")));
                JsonObject broken = explained.candidate(BROKEN);
                assertThat(broken.getBoolean("picked")).isFalse();
                assertThat(broken.getString("wouldWin")).startsWith("without ");
                assertThat(explained.attempt().getJsonObject("counts").getInteger(broken.getString("standing")))
                        .isPositive();
                assertThat(explained.attempt().getString("picked")).isNotEqualTo(BROKEN);
            }
        }
        suite.clear(BROKEN);
    }

    @Test
    @Order(4)
    void a_client_may_choose_the_strategies_that_it_is_allowed() {
        for (int router = 0; router < 2; router++) {
            Explained random = explained(router, "routing-strategy: random");
            assertThat(random.decision()).isEqualTo("random");
            assertThat(random.attempt().getString("strategy")).isEqualTo("random");
            assertThat(random.candidates()).hasSize(1);

            Explained ignored = explained(router, "routing-strategy: power-of-two");
            assertThat(ignored.decision()).isEqualTo("load-balance");
            assertThat(ignored.attempt().getString("strategy")).isEqualTo("load-balance");
        }
    }

    @Test
    @Order(5)
    void another_strategy_in_the_file_is_taken_up_without_a_restart() throws Exception {
        configure("least-request-top-k, strategyOptions: {k: 3, epsilon: 0.25}");

        for (int router = 0; router < 2; router++) {
            int asked = router;
            Explained explained = Await.value("the new strategy", SOON, () -> explained(asked), seen -> seen.decision()
                    .equals("least-request-top-k"));
            assertThat(explained.attempt().getString("strategy")).isEqualTo("least-request-top-k");
            assertThat(explained.attempt().getInteger("k")).isEqualTo(3);
            assertThat(explained.attempt().getDouble("epsilon")).isEqualTo(0.25);
            assertThat(explained.attempt().getBoolean("agrees")).isTrue();
        }
    }

    private static OpenLoad load(int router) {
        return new OpenLoad(suite.routerPorts().get(router), PER_SECOND);
    }

    private static void awaitLoad(OpenLoad load) {
        Await.until("load", SOON, () -> load.results().size() > PER_SECOND);
    }

    private static Explained explained(int router, String... headers) {
        try {
            int port = suite.routerPorts().get(router);
            RawHttp.Response answer = RawHttp.exchange(port, Suite.chat(false, 4, headers), Suite.ANSWER_TIMEOUT);
            assertThat(answer.header("x-request-id")).startsWith("router-" + router + "-");
            return new Explained(answer, Suite.decision(port, answer));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void configure(String strategy) throws IOException {
        Files.writeString(
                config(),
                "models:\n  - {name: " + Suite.MODEL + ", clientStrategies: [random], strategy: " + strategy + "}\n");
    }

    private static Path config() {
        return data.resolve("penstock.yaml");
    }
}
