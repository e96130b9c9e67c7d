package dev.penstock.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.Await;
import dev.penstock.testkit.FreePorts;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The suite as a user runs it: two routers, 8 engines, Kafka and Redis, and things that break under load. */
class LocalStackTest {
    private static final Duration SOON = Duration.ofSeconds(15);

    @TempDir
    static Path data;

    private static LocalStack stack;
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @BeforeAll
    static void up() throws Exception {
        StackOptions options = new StackOptions();
        options.data = data;
        options.port = FreePorts.base(1, 100, 101);
        options.collectorPort = FreePorts.one();
        stack = LocalStack.start(options, part -> {}, () -> {});
        Await.until("all replicas are routable at every router", SOON, () -> stack.routers().stream()
                .allMatch(router -> view(router).split("\"candidate\":true", -1).length == 9));
    }

    @AfterAll
    static void down() {
        stack.close();
    }

    @AfterEach
    void mend() throws Exception {
        for (String target : List.of("kafka", "redis", "engine-2", "engine-3"))
            stack.faults().clear(target);
        Await.until("all replicas are fresh and back", Duration.ofSeconds(30), () -> {
            // A quarantine ends with a client's request that succeeds, at each router for itself.
            freshLoad();
            List<JsonObject> replicas = replicas();
            return replicas.stream()
                    .allMatch(r -> r.getString("freshness").equals("FRESH")
                            && r.getString("quarantine").equals("none")
                            && r.getInteger("inflight") == 0);
        });
    }

    @Test
    void two_hundred_clients_spread_over_the_fleet_and_routers_see_each_other() throws Exception {
        Load load = new Load(200, 6_400);
        Await.until("each router sees the other's load", SOON, () -> stack.routers().stream()
                .allMatch(router -> view(router).matches(".*\"peers\":[1-9].*")));

        Map<String, AtomicInteger> perReplica = load.join();

        assertThat(load.failed.get()).isZero();
        int max =
                perReplica.values().stream().mapToInt(AtomicInteger::get).max().orElse(0);
        assertThat(max / (6_400 / 8.0)).isLessThanOrEqualTo(1.3);
        Await.until("nothing is left in flight", SOON, () -> replicas().stream()
                .allMatch(r -> r.getInteger("inflight") == 0));
    }

    @Test
    void an_engine_that_refuses_costs_no_request_and_serves_again_when_it_is_back() throws Exception {
        Load load = new Load(40, 4_000);
        stack.faults().apply("engine-2", "refuse", List.of());
        load.join();
        assertThat(load.failed.get()).isZero();

        Load without = new Load(16, 400);
        assertThat(without.join()).doesNotContainKey("engine-2");
        assertThat(without.failed.get()).isZero();

        stack.faults().clear("engine-2");
        Await.until("it serves again", SOON, () -> freshLoad().containsKey("engine-2"));
    }

    @Test
    void losing_kafka_and_redis_fails_no_request_and_turns_no_router_unready() throws Exception {
        for (String target : List.of("kafka", "redis")) {
            stack.faults().apply(target, "stop", List.of());
            Load load = new Load(20, 2_000);
            load.join();
            assertThat(load.failed.get()).as("failed without %s", target).isZero();
            for (StatusPage.Place router : stack.routers()) {
                assertThat(get(router.managementUrl() + "/readyz").statusCode()).isEqualTo(200);
            }
            stack.faults().apply(target, "start", List.of());
            Await.until("views recover", Duration.ofSeconds(20), () -> replicas().stream()
                    .allMatch(r -> r.getString("freshness").equals("FRESH")));
        }
    }

    @Test
    void a_frozen_page_under_load_turns_stale_then_missing_and_idle_ones_stay_fresh() throws Exception {
        assertThat(replicas()).allMatch(r -> r.getString("freshness").equals("FRESH"));
        stack.faults().apply("engine-3", "freeze-metrics", List.of());
        AtomicInteger more = new AtomicInteger(1);
        Thread pressure = Thread.ofVirtual().start(() -> {
            while (more.get() == 1) new Load(32, 320).joinQuietly();
        });
        try {
            Await.until("stale", SOON, () -> freshness("engine-3").equals("STALE"));
            Await.until("missing", SOON, () -> freshness("engine-3").equals("MISSING"));
            assertThat(freshness("engine-1")).isNotEqualTo("MISSING");
        } finally {
            more.set(0);
            pressure.join();
        }
    }

    /** Closed loop: so many clients, so many streamed requests in all, over both routers. */
    private static final class Load {
        final AtomicInteger failed = new AtomicInteger();
        private final Map<String, AtomicInteger> perReplica = new ConcurrentHashMap<>();
        private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();

        Load(int concurrency, int requests) {
            AtomicInteger left = new AtomicInteger(requests);
            for (int i = 0; i < concurrency; i++) {
                String router = stack.routers().get(i % stack.routers().size()).url();
                clients.submit(() -> {
                    while (left.getAndDecrement() > 0) one(router);
                });
            }
            clients.shutdown();
        }

        private void one(String router) {
            try {
                HttpRequest request = HttpRequest.newBuilder(URI.create(router + "/v1/chat/completions"))
                        .header("content-type", "application/json")
                        .timeout(Duration.ofSeconds(60))
                        .POST(
                                HttpRequest.BodyPublishers.ofString(
                                        "{\"model\":\"sim/llama-3-8b\",\"stream\":true,\"max_tokens\":16,\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}"))
                        .build();
                HttpResponse<String> response = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
                if (response.statusCode() != 200 || !response.body().endsWith("data: [DONE]\n\n"))
                    failed.incrementAndGet();
                else {
                    perReplica
                            .computeIfAbsent(
                                    response.headers()
                                            .firstValue("x-penstock-replica")
                                            .orElse("none"),
                                    name -> new AtomicInteger())
                            .incrementAndGet();
                }
            } catch (Exception e) {
                failed.incrementAndGet();
            }
        }

        Map<String, AtomicInteger> join() throws InterruptedException {
            assertThat(clients.awaitTermination(120, TimeUnit.SECONDS)).isTrue();
            return perReplica;
        }

        void joinQuietly() {
            try {
                join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static Map<String, AtomicInteger> freshLoad() {
        Load load = new Load(8, 80);
        load.joinQuietly();
        return load.perReplica;
    }

    private static String freshness(String replica) {
        return replicas().stream()
                .filter(r -> r.getString("name").equals(replica))
                .findFirst()
                .map(r -> r.getString("freshness"))
                .orElse("none");
    }

    private static List<JsonObject> replicas() {
        return stack.status().render().getJsonArray("replicas").stream()
                .map(JsonObject.class::cast)
                .toList();
    }

    private static String view(StatusPage.Place router) {
        return get(router.managementUrl() + "/debug/view").body().replaceAll("\\s", "");
    }

    private static HttpResponse<String> get(String url) {
        try {
            return CLIENT.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
