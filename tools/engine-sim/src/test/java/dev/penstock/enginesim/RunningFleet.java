package dev.penstock.enginesim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.enginesim.fault.Fault;
import dev.penstock.enginesim.step.Profile;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A fleet on free ports and a client of its first engine, for the length of a test. */
final class RunningFleet implements AutoCloseable {
    static final String HELLO = "[{\"role\":\"user\",\"content\":\"hello, engine\"}]";

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    final Vertx vertx = Vertx.vertx();
    final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(2))
            .build();
    final EngineFleet fleet;
    final EngineSim engine;

    RunningFleet(EngineFleetOptions options) {
        fleet = await(EngineFleet.start(vertx, options.withBasePort(0)));
        engine = fleet.engines().getFirst();
    }

    RunningFleet(EngineFleetOptions options, FleetLayout layout) {
        fleet = await(EngineFleet.start(vertx, options.withBasePort(0), layout));
        engine = fleet.engines().getFirst();
    }

    static RunningFleet ofOne() {
        return new RunningFleet(EngineFleetOptions.defaults());
    }

    static RunningFleet ofKind(EngineKind kind) {
        return new RunningFleet(EngineFleetOptions.defaults().withKind(kind));
    }

    static RunningFleet withMaxNumSeqs(int limit) {
        return new RunningFleet(EngineFleetOptions.defaults().withProfile(Profile.FAST.withMaxNumSeqs(limit)));
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(engine.endpoint() + path)).build(), BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path, String json, String... headers) throws IOException, InterruptedException {
        return client.send(posting(path, json, headers), BodyHandlers.ofString());
    }

    HttpRequest posting(String path, String json, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(engine.endpoint() + path))
                .timeout(PATIENCE)
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json));
        return (headers.length == 0 ? request : request.headers(headers)).build();
    }

    HttpResponse<String> call(String method, String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(engine.endpoint() + path))
                .timeout(PATIENCE)
                .method(method, HttpRequest.BodyPublishers.noBody());
        return client.send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    HttpResponse<String> postForm(String path, byte[] form, String requestId) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(engine.endpoint() + path))
                        .timeout(PATIENCE)
                        .header("content-type", MultipartBody.CONTENT_TYPE)
                        .header("X-Request-Id", requestId)
                        .POST(HttpRequest.BodyPublishers.ofByteArray(form))
                        .build(),
                BodyHandlers.ofString());
    }

    JsonNode json(HttpResponse<String> response) throws IOException {
        return new ObjectMapper().readTree(response.body());
    }

    /** A chat request for this many tokens. */
    static String chat(int maxTokens, String more) {
        return "{\"model\":\"sim/llama-3-8b\",\"messages\":" + HELLO + ",\"max_tokens\":" + maxTokens + more + "}";
    }

    /** The first words of the answer to {@link #HELLO}, learned from a whole completion. */
    String[] fleetText(int tokens) throws IOException, InterruptedException {
        String body = post("/v1/completions", "{\"prompt\":\"hello, engine\",\"max_tokens\":" + tokens + "}")
                .body();
        return new ObjectMapper()
                .readTree(body)
                .path("choices")
                .path(0)
                .path("text")
                .asText()
                .split(" ");
    }

    /** The value of a metric without labels of its own. */
    double metric(String name) throws IOException, InterruptedException {
        String text = get("/metrics/?name%5B%5D=" + name).body();
        return Double.parseDouble(text.substring(text.lastIndexOf(' ') + 1).trim());
    }

    void fault(Fault fault) {
        await(engine.fault(fault));
    }

    void clearFault() {
        await(engine.clearFault());
    }

    static <T> T await(io.vertx.core.Future<T> future) {
        try {
            return future.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("not done after " + PATIENCE, e);
        }
    }

    static void awaitUntil(String what, Duration patience, BooleanSupplier condition) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within " + patience + ": " + what);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
        await(fleet.close());
        await(vertx.close());
    }
}
