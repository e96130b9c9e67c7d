package dev.penstock.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.Await;
import dev.penstock.testkit.FreePorts;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Sick engines under load at two routers: each is left quickly, whatever ails it, and comes back after its repair. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class VerdictsTest {
    private static final Map<String, List<String>> SICKNESSES = Map.of(
            "engine-1", List.of("error", "500"),
            "engine-2", List.of("truncate"),
            "engine-3", List.of("hang"),
            "engine-4", List.of("lie"));

    /** 5 s by the issue; the load of the test itself shares two cores with everything else. */
    private static final Duration OUT = Duration.ofSeconds(10);

    private static final Duration BACK = Duration.ofSeconds(45);
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    static Path data;

    private static LocalStack stack;

    @BeforeAll
    static void up() throws Exception {
        StackOptions options = new StackOptions();
        options.data = data;
        options.port = FreePorts.base(1, 100, 101);
        options.collectorPort = FreePorts.one();
        // the terms and the ramp scaled: 15 s of ramp are 3 s
        options.config = Files.writeString(data.resolve("penstock.yaml"), "health: {ejectionBase: 1s}\n");
        stack = LocalStack.start(options, part -> {}, () -> {});
        Await.until("all are healthy", BACK, VerdictsTest::allHealthy);
    }

    @AfterAll
    static void down() {
        stack.close();
    }

    @Test
    @Order(1)
    void a_client_that_sends_only_bad_requests_ejects_nobody() throws Exception {
        for (int i = 0; i < 200; i++) {
            assertThat(post(i % 2, "\"max_tokens\":-1").statusCode()).isEqualTo(400);
        }

        assertThat(allHealthy()).isTrue();
    }

    @Test
    @Order(2)
    void slow_health_pages_eject_nobody() throws Exception {
        for (String engine : engines()) stack.faults().apply(engine, "slow-health", List.of("10s"));
        try (Pressure pressure = new Pressure(32)) {
            Await.until("2,000 answers", BACK, () -> pressure.answers() >= 2_000);
        }

        assertThat(allHealthy()).isTrue();
        for (String engine : engines()) stack.faults().clear(engine);
    }

    @Test
    @Order(3)
    void each_sickness_is_left_and_comes_back_after_repair() throws Exception {
        try (Pressure pressure = new Pressure(16)) {
            for (var sick : SICKNESSES.entrySet()) {
                List<String> verb = sick.getValue();
                stack.faults().apply(sick.getKey(), verb.getFirst(), verb.subList(1, verb.size()));
            }
            Await.until("all four are ejected", OUT, () -> verdicts(SICKNESSES.keySet()).stream()
                    .allMatch(verdict -> verdict.startsWith("EJECTED")));
            int failedBefore = pressure.failures();
            int answersBefore = pressure.answers();
            Await.until("500 answers more", BACK, () -> pressure.answers() >= answersBefore + 500);
            // What was sent before the verdict may still end badly; nothing is sent there any more.
            assertThat(pressure.failures() - failedBefore).isLessThanOrEqualTo(16);
            for (String engine : SICKNESSES.keySet()) stack.faults().clear(engine);
            Await.until("all are back", BACK, VerdictsTest::allHealthy);
        }
    }

    @Test
    @Order(4)
    void when_all_fail_traffic_still_goes_to_the_best_of_them_marked() throws Exception {
        for (String engine : engines()) stack.faults().apply(engine, "error", List.of("500"));
        AtomicInteger next = new AtomicInteger();
        Await.until("a marked answer", OUT, () -> {
            HttpResponse<String> answer = post(next.getAndIncrement() % 2, "\"max_tokens\":4");
            return answer.statusCode() == 500
                    && answer.headers()
                            .firstValue("x-penstock-decision")
                            .orElse("")
                            .equals("panic");
        });
        for (String engine : engines()) stack.faults().clear(engine);
        Await.until("all are back", BACK, () -> {
            post(next.getAndIncrement() % 2, "\"max_tokens\":4");
            return allHealthy();
        });
    }

    /** Closed loop of streams over both routers, until closed. */
    private static final class Pressure implements AutoCloseable {
        private final AtomicInteger answers = new AtomicInteger();
        private final AtomicInteger failures = new AtomicInteger();
        private final List<Thread> clients = new ArrayList<>();
        private volatile boolean over;

        Pressure(int concurrency) {
            for (int i = 0; i < concurrency; i++) {
                int router = i % 2;
                clients.add(Thread.ofVirtual().start(() -> {
                    while (!over) one(router);
                }));
            }
        }

        private void one(int router) {
            HttpResponse<String> answer = post(router, "\"stream\":true,\"max_tokens\":16");
            boolean served = answer != null
                    && answer.statusCode() == 200
                    && answer.body().endsWith("data: [DONE]\n\n");
            (served ? answers : failures).incrementAndGet();
        }

        int answers() {
            return answers.get();
        }

        int failures() {
            return failures.get();
        }

        @Override
        public void close() throws InterruptedException {
            over = true;
            for (Thread client : clients) client.join();
        }
    }

    /** Null when no whole answer came within 5 s: a hung engine never gives one. */
    private static HttpResponse<String> post(int router, String more) {
        try {
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create(stack.routers().get(router).url() + "/v1/chat/completions"))
                    .header("content-type", "application/json")
                    .timeout(Duration.ofSeconds(5))
                    .POST(HttpRequest.BodyPublishers.ofString("{\"model\":\"sim/llama-3-8b\"," + more
                            + ",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}"))
                    .build();
            return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (java.io.IOException e) {
            return null;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> engines() {
        return rows().stream().map(row -> row.getString("name")).toList();
    }

    private static boolean allHealthy() {
        List<JsonObject> rows = rows();
        return rows.size() == 8
                && rows.stream()
                        .allMatch(row -> row.getString("verdict").equals("HEALTHY")
                                && row.getString("quarantine").equals("none"));
    }

    private static List<String> verdicts(java.util.Set<String> names) {
        Map<String, String> nameToVerdict = new ConcurrentHashMap<>();
        rows().forEach(row -> nameToVerdict.put(row.getString("name"), row.getString("verdict")));
        return names.stream().map(nameToVerdict::get).toList();
    }

    private static List<JsonObject> rows() {
        return stack.status().render().getJsonArray("replicas").stream()
                .map(JsonObject.class::cast)
                .toList();
    }
}
