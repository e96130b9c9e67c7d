package dev.penstock.router.cases;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.config.ConfigTree;
import dev.penstock.kit.run.ServiceContext;
import dev.penstock.kit.run.ServiceVertx;
import dev.penstock.router.RouterWiring;
import dev.penstock.router.RunningRouter;
import dev.penstock.router.ingress.IngressVerticle;
import dev.penstock.testkit.FreePorts;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** The real router with a real Kafka and Redis, and what an operator sees of it. */
public final class RouterScene implements AutoCloseable {
    /** Limits of hundreds of milliseconds where production has seconds. */
    public static final String USUAL = """
        models:
          - {name: org/m-7b, aliases: [alias-m], stream: {firstByte: 600ms, idle: 600ms}}
          - {name: org/deadline, deadline: 300ms, retry: {budget: 100%}}
          - {name: org/retries, retry: {budget: 100%}}
          - {name: org/opt-in, retry: {on: [reset, 500], budget: 100%}}
        """;

    private static final String ATTEMPTS = "penstock_router_attempts_total{outcome=\"";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final CaseInfra infra;
    private final Vertx vertx;
    private final RunningRouter router;
    private final int management;

    private RouterScene(CaseInfra infra, Vertx vertx, RunningRouter router, int management) {
        this.infra = infra;
        this.vertx = vertx;
        this.router = router;
        this.management = management;
    }

    /**
     * @param name of the router, its own among those that run
     * @param yaml its configuration but for names, ports and addresses
     */
    public static RouterScene start(CaseInfra infra, String name, String yaml) {
        try {
            Path data = Files.createTempDirectory("penstock-case-");
            Path file = Files.writeString(data.resolve("penstock.yaml"), yaml);
            List<Integer> ports = FreePorts.take(2);
            Map<String, String> settings = Map.of(
                    "PENSTOCK__KAFKA__BOOTSTRAPSERVERS", infra.infra().bootstrapServers(),
                    "PENSTOCK__KAFKA__REPLICATIONFACTOR", "1",
                    "PENSTOCK__REDIS__URL", infra.infra().redisUrl(),
                    "PENSTOCK__DATA__DIRECTORY", data.toString(),
                    "PENSTOCK__ROUTER__NAME", "router-" + name,
                    "PENSTOCK__ROUTER__WARMUP", "false",
                    "PENSTOCK__ROUTER__PORT", String.valueOf(ports.get(0)),
                    "PENSTOCK__ROUTER__MANAGEMENTPORT", String.valueOf(ports.get(1)));
            PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            Vertx vertx = ServiceVertx.create(2, meters);
            RunningRouter router = (RunningRouter) await(RouterWiring.start(new ServiceContext(
                    vertx, ConfigTree.load(file, settings), meters, Incarnation.fresh("router-" + name))));
            return new RouterScene(infra, vertx, router, ports.get(1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public CaseInfra infra() {
        return infra;
    }

    public int port() {
        return router.port();
    }

    public int managementPort() {
        return management;
    }

    public String name() {
        return router.name();
    }

    /** Fresh replicas of a model, all candidates of this router; nobody else serves the model. */
    public Fleet fleet(String model, int replicas) {
        return Fleet.start(this, model, replicas);
    }

    public Fleet fleet(int replicas) {
        return fleet("org/m-7b", replicas);
    }

    /** Requests that its event loops still know of. */
    public int running() {
        return router.listeners().stream().mapToInt(IngressVerticle::running).sum();
    }

    /** The router's page on its replicas. */
    public JsonNode view() {
        try {
            return JSON.readTree(operations("/debug/view").body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Attempts by outcome so far, those of 0 left out. */
    public Outcomes outcomes() {
        Map<String, Long> counts = new TreeMap<>();
        for (String line : operations("/metrics").body().split("\n", -1)) {
            if (!line.startsWith(ATTEMPTS)) continue;
            long count = (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
            if (count != 0) counts.put(line.substring(ATTEMPTS.length(), line.indexOf('"', ATTEMPTS.length())), count);
        }
        return new Outcomes(counts);
    }

    /** A sample of the page of metrics, by its name with its labels; 0 where there is none. */
    public long metric(String sample) {
        for (String line : operations("/metrics").body().split("\n", -1)) {
            if (line.startsWith(sample + " ")) return (long) Double.parseDouble(line.substring(sample.length() + 1));
        }
        return 0;
    }

    /** One answer of the management port. */
    public HttpResponse<String> operations(String path) {
        try {
            return CLIENT.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + management + path))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        await(router.shutdown(Duration.ofMillis(200)));
        await(vertx.close());
    }

    private static <T> T await(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
