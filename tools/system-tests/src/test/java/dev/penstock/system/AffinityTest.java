package dev.penstock.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.Await;
import dev.penstock.testkit.RawHttp;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Warm prompts and sessions, through two routers, over a router's restart and an engine's loss. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AffinityTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int ENGINES = 4;

    /** 48 kB: some 12,000 tokens, half a second of prefill on the simulated GPU. */
    private static final int PROMPT_BYTES = 48_000;

    private static final int PREFIX_BLOCKS = 30;
    private static final int TOLD_AT_ONCE = 20;

    @TempDir
    static Path data;

    private static Suite suite;

    @BeforeAll
    static void up() throws Exception {
        suite = Suite.start(data, 2, ENGINES, "--engines", "" + ENGINES, "--profile", "8b-h100");
    }

    @AfterAll
    static void down() throws Exception {
        Suite.close(suite);
    }

    @Test
    @Order(1)
    void a_long_prompt_comes_back_to_the_engine_that_has_it_through_either_router_and_is_answered_sooner() {
        String prompt = prompt("document");
        long began = System.nanoTime();
        RawHttp.Response cold = chat(0, prompt);
        long coldNanos = System.nanoTime() - began;
        String owner = replica(cold);
        Await.until("router-1 has heard of it", SOON, () -> heard(1) >= PREFIX_BLOCKS);

        long warmNanos = Long.MAX_VALUE;
        for (int i = 0; i < 6; i++) {
            began = System.nanoTime();
            RawHttp.Response warm = chat(i % 2, prompt);
            warmNanos = Math.min(warmNanos, System.nanoTime() - began);
            assertThat(replica(warm)).isEqualTo(owner);
        }

        assertThat(warmNanos).as("cold %d ns", coldNanos).isLessThan(coldNanos / 2);
        RawHttp.Response last = chat(1, prompt);
        JsonObject picked = picked(1, last);
        assertThat(picked.getString("replica")).isEqualTo(owner);
        assertThat(picked.getDouble("prefixHit")).isGreaterThan(0.9);
    }

    @Test
    @Order(1)
    void another_prompt_is_not_drawn_there() {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 40 && seen.size() == 1 || i < 8; i++) seen.add(replica(chat(0, prompt("other " + i))));

        assertThat(seen).hasSizeGreaterThan(1);
    }

    @Test
    @Order(2)
    void a_session_stays_through_another_router_and_over_a_routers_restart() throws Exception {
        String owner = replica(turn(0, "alice"));
        for (int i = 0; i < 6; i++) assertThat(replica(turn(i % 2, "alice"))).isEqualTo(owner);
        Await.until("Redis has it", SOON, () -> proposals(0, "accepted") >= 1);

        suite.fault("router-1", "restart");
        Await.until("router-1 serves again", SOON, () -> serves(1));

        for (int i = 0; i < 6; i++) assertThat(replica(turn(1, "alice"))).isEqualTo(owner);
        assertThat(picked(1, turn(1, "alice")).getString("session")).isEqualTo("pinned");
    }

    @Test
    @Order(3)
    void when_its_owner_is_lost_a_session_moves_once_and_stays_where_it_went() throws Exception {
        String lost = replica(turn(0, "bob"));
        suite.fault(lost, "refuse");
        try {
            RawHttp.Response next = turn(0, "bob");
            String owner = replica(next);
            assertThat(next.status()).isEqualTo(200);
            assertThat(owner).isNotEqualTo(lost);
            Await.until("router-1 has heard of the move", SOON, () -> replica(turn(1, "bob"))
                    .equals(owner));
            for (int i = 0; i < 6; i++) assertThat(replica(turn(i % 2, "bob"))).isEqualTo(owner);

            suite.clear(lost);
            Await.until("it is back in both routers", SOON, () -> {
                // One refused connect shut it out: the last step of its way back is a client's request.
                for (int router = 0; router < 2; router++) exchange(router, Suite.chat(false, 1));
                return routable(0, lost) && routable(1, lost);
            });
            for (int i = 0; i < 10; i++) assertThat(replica(turn(i % 2, "bob"))).isEqualTo(owner);
        } finally {
            suite.clear(lost);
        }
    }

    @Test
    @Order(4)
    void many_first_turns_of_a_session_at_once_come_together() throws Exception {
        List<Callable<String>> turns = new ArrayList<>();
        for (int i = 0; i < TOLD_AT_ONCE; i++) {
            int router = i % 2;
            turns.add(() -> replica(turn(router, "carol")));
        }
        List<String> replicas = new ArrayList<>();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<String> each : clients.invokeAll(turns)) replicas.add(each.get());
        }

        assertThat(new HashSet<>(replicas)).hasSizeLessThanOrEqualTo(2);
        String owner = replica(turn(0, "carol"));
        for (int i = 0; i < 6; i++) assertThat(replica(turn(i % 2, "carol"))).isEqualTo(owner);
    }

    @Test
    @Order(4)
    void a_key_of_any_length_and_a_field_of_the_body_name_a_session() {
        String owner = replica(turn(0, "x".repeat(300)));
        for (int i = 0; i < 4; i++)
            assertThat(replica(turn(i % 2, "x".repeat(300)))).isEqualTo(owner);

        String named = replica(field(0, "dave"));
        for (int i = 0; i < 6; i++) assertThat(replica(field(i % 2, "dave"))).isEqualTo(named);
    }

    private static String prompt(String about) {
        return (about + " is what all of this is about. ").repeat(PROMPT_BYTES / (about.length() + 30));
    }

    private static RawHttp.Response chat(int router, String prompt) {
        return exchange(router, Suite.chat(Suite.MODEL, prompt, false, 1));
    }

    private static RawHttp.Response turn(int router, String session) {
        return exchange(router, Suite.chat(false, 1, "x-session-id: " + session));
    }

    private static RawHttp.Response field(int router, String user) {
        String body = "{\"model\":\"" + Suite.MODEL + "\",\"max_tokens\":1,\"user\":\"" + user
                + "\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";
        return exchange(router, Suite.post("/v1/chat/completions", body));
    }

    private static RawHttp.Response exchange(int router, String request) {
        try {
            RawHttp.Response answer = RawHttp.exchange(port(router), request, Suite.ANSWER_TIMEOUT);
            assertThat(answer.status()).as(answer.bodyText()).isEqualTo(200);
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int port(int router) {
        return suite.routerPorts().get(router);
    }

    private static String replica(RawHttp.Response answer) {
        return Objects.requireNonNull(answer.header("x-penstock-replica"));
    }

    private static JsonObject picked(int router, RawHttp.Response answer) {
        return Suite.decision(port(router), answer).getJsonArray("candidates").stream()
                .map(JsonObject.class::cast)
                .filter(each -> each.getBoolean("picked"))
                .findFirst()
                .orElseThrow();
    }

    private static double heard(int router) {
        return Suite.metric(port(router) + 1, "penstock_router_prefix_blocks_total{result=\"heard\"}");
    }

    private static double proposals(int router, String result) {
        return Suite.metric(port(router) + 1, "penstock_router_pin_proposals_total{result=\"" + result + "\"}");
    }

    private static boolean serves(int router) {
        try {
            return RawHttp.exchange(port(router), Suite.chat(false, 1), Suite.ANSWER_TIMEOUT)
                            .status()
                    == 200;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean routable(int router, String replica) {
        return Suite.replicas(port(router)).stream()
                .anyMatch(row -> row.getString("name").equals(replica)
                        && row.getString("quarantine").equals("none")
                        && row.getString("verdict").equals("HEALTHY"));
    }
}
