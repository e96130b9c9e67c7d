package dev.penstock.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.enginesim.EngineFleet;
import dev.penstock.enginesim.EngineFleetOptions;
import dev.penstock.enginesim.EngineKind;
import dev.penstock.enginesim.EngineSim;
import dev.penstock.enginesim.engine.Ending;
import dev.penstock.enginesim.engine.SentBody;
import dev.penstock.enginesim.fault.Fault;
import dev.penstock.testkit.FreePorts;
import dev.penstock.testkit.Sha256;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Simulated engines in the test's own JVM, where it can look at them and break them. Each kind serves a model of its own, so
 * that a request says which kind is to answer it.
 */
final class Engines implements AutoCloseable {
    private static final int SECONDS = 10;

    private final Vertx vertx = Vertx.vertx();
    private final List<EngineFleet> fleets = new ArrayList<>();
    private final List<EngineSim> engines = new ArrayList<>();
    private final StringBuilder replicas = new StringBuilder("replicas:\n");
    private int listed;

    /** So many of each of these kinds. */
    static Engines start(int ofEach, EngineKind... kinds) {
        return start(EngineFleetOptions.defaults().withCount(ofEach), kinds);
    }

    static Engines start(EngineFleetOptions options, EngineKind... kinds) {
        Engines engines = new Engines();
        for (EngineKind kind : kinds) engines.add(options, kind);
        return engines;
    }

    private void add(EngineFleetOptions options, EngineKind kind) {
        int[] further = IntStream.range(1, options.count()).toArray();
        EngineFleet fleet = await(EngineFleet.start(
                vertx, options.withKind(kind).withModels(model(kind)).withBasePort(FreePorts.base(further))));
        fleets.add(fleet);
        for (EngineSim engine : fleet.engines()) {
            engines.add(engine);
            list(name(engine), engine.endpoint(), model(kind), kind.option());
        }
    }

    /** Another engine in the file, that somebody else runs. */
    Engines and(String name, int port, String model) {
        list(name, "http://127.0.0.1:" + port, model, EngineKind.VLLM.option());
        return this;
    }

    private void list(String name, String endpoint, String model, String kind) {
        replicas.append("  - {name: " + name + ", endpoint: \"" + endpoint + "\", models: [" + model + "], engine: "
                + kind + "}\n");
        listed++;
    }

    static String model(EngineKind kind) {
        return "sim/" + kind.option();
    }

    /** The name of its replica: fleets count from 0 each. */
    private static String name(EngineSim engine) {
        return engine.kind().option() + "-" + engine.name();
    }

    int count() {
        return listed;
    }

    /** For {@code --replicas}. */
    String file(Path data) throws IOException {
        return Files.writeString(data.resolve("engines.yaml"), replicas).toString();
    }

    /** By the name of its replica, as {@code x-penstock-replica} says it. */
    EngineSim named(@Nullable String replica) {
        return engines.stream()
                .filter(engine -> name(engine).equals(replica))
                .findFirst()
                .orElseThrow(() -> new AssertionError("answered by " + replica));
    }

    /** The only one of its kind. */
    EngineSim only(EngineKind kind) {
        return named(kind.option() + "-engine-0");
    }

    static void fault(EngineSim engine, Fault fault) {
        await(engine.fault(fault));
    }

    static void clear(EngineSim engine) {
        await(engine.clearFault());
    }

    /** These bytes are those that the engine wrote as its answer to the request's first attempt. */
    void assertSameAsSent(@Nullable String replica, @Nullable String requestId, byte[] body) {
        SentBody sent = named(replica).sentBody(requestId + "-a1");
        assertThat(sent).as("an answer to " + requestId).isNotNull();
        assertThat(sent.ending()).isEqualTo(Ending.COMPLETED);
        assertThat(sent.bytes()).isEqualTo(body.length).isPositive();
        assertThat(sent.sha256()).isEqualTo(Sha256.hex(body));
    }

    private static <T> T await(Future<T> future) {
        try {
            return future.await(SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("not done within " + SECONDS + " s", e);
        }
    }

    @Override
    public void close() {
        fleets.forEach(fleet -> await(fleet.close()));
        await(vertx.close());
    }
}
