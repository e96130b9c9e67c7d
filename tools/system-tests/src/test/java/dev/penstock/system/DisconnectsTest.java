package dev.penstock.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.Await;
import dev.penstock.testkit.RawHttp;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that vanish in mid-stream cost the engines nothing more, and no count keeps them. */
class DisconnectsTest {
    private static final int CLIENTS = 100;
    private static final int ENGINES = 4;
    private static final int ROUTERS = 2;
    private static final long CANCEL_MILLIS = 1_000;

    /** Half a minute of work at this profile's 8 ms a step: none ends by itself in this test. */
    private static final int MAX_TOKENS = 4_000;

    private static final Duration SOON = Duration.ofSeconds(15);

    @TempDir
    static Path data;

    private static Suite suite;
    private static Collection<Integer> enginePorts;

    @BeforeAll
    static void up() throws Exception {
        suite = Suite.start(data, ROUTERS, ENGINES, "--engines", "" + ENGINES, "--profile", "8b-h100");
        enginePorts = suite.enginePorts().values();
    }

    @AfterAll
    static void down() throws Exception {
        Suite.close(suite);
    }

    @Test
    void a_hundred_clients_that_vanish_are_cancelled_within_a_second_and_forgotten() throws Exception {
        List<Client> clients = openAll();
        Await.until("all are in flight", SOON, () -> inEngines("inflight") == CLIENTS && inRouters("own") == CLIENTS);
        Await.until("all are in flight at the other router", SOON, () -> inRouters("peers") == CLIENTS);

        Map<String, Long> closedAfterMillis = new HashMap<>();
        for (int i = 0; i < CLIENTS; i++) {
            Client client = clients.get(i);
            closedAfterMillis.put(client.engineRequestId(), client.millisSinceFirstEvent());
            // A reset, and what an exiting process sends: a FIN, or a reset where there are bytes it has not read.
            if (i % 2 == 0) client.http().reset();
            else client.http().close();
        }

        Await.until("all are cancelled", SOON, () -> inEngines("cancelled") == CLIENTS);
        List<JsonObject> cancellations = enginePorts.stream()
                .flatMap(port -> Suite.engineState(port).getJsonArray("cancellations").stream())
                .map(JsonObject.class::cast)
                .toList();
        assertThat(cancellations).hasSize(CLIENTS).allSatisfy(cancellation -> {
            // The engine's own measure, so that a slow poll here is not taken for a slow cancel. Its clock starts with
            // the request, ours later with the first event: the difference counts against the router.
            long openMillis = cancellation.getLong("openMillis");
            assertThat(openMillis - closedAfterMillis.get(cancellation.getString("id")))
                    .isLessThanOrEqualTo(CANCEL_MILLIS);
            assertThat(cancellation.getInteger("generatedTokens")).isLessThan(MAX_TOKENS);
        });
        Await.until("nothing is in flight anywhere", SOON, () -> {
            assertThat(inEngines("inflight") + inEngines("running") + inEngines("waiting"))
                    .isZero();
            assertThat(inRouters("own") + inRouters("peers")).isZero();
            assertThat(suite.routerPorts()).allSatisfy(port -> assertThat(Suite.inflightGauges(port))
                    .allMatch(line -> line.matches(".* 0(\\.0)?")));
            return true;
        });
        // The probes of health-svc complete; nothing of these clients did (see generatedTokens), and nothing was cut.
        assertThat(inEngines("cut")).isZero();
    }

    /** A client that has read its first event. */
    private record Client(RawHttp http, String engineRequestId, long firstEventNanos) {
        static Client open(int routerPort) throws Exception {
            RawHttp http = RawHttp.connect(routerPort).send(Suite.chat(true, MAX_TOKENS));
            String received = http.awaitText("data: ", Suite.ANSWER_TIMEOUT);
            String requestId = received.lines()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("x-request-id:"))
                    .findFirst()
                    .orElseThrow()
                    .substring("x-request-id:".length())
                    .strip();
            return new Client(http, requestId + "-a1", System.nanoTime());
        }

        long millisSinceFirstEvent() {
            return (System.nanoTime() - firstEventNanos) / 1_000_000;
        }
    }

    private static List<Client> openAll() throws Exception {
        List<Client> clients = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Client>> opening = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                int routerPort = suite.routerPorts().get(i % ROUTERS);
                opening.add(threads.submit(() -> Client.open(routerPort)));
            }
            for (Future<Client> each : opening) clients.add(each.get());
        }
        return clients;
    }

    private static int inEngines(String field) {
        return enginePorts.stream()
                .mapToInt(port -> Suite.engineState(port).getInteger(field))
                .sum();
    }

    private static double inRouters(String field) {
        return suite.routerPorts().stream()
                .flatMap(port -> Suite.replicas(port).stream())
                .mapToDouble(replica -> replica.getDouble(field))
                .sum();
    }
}
