package dev.penstock.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.enginesim.EngineFleetOptions;
import dev.penstock.enginesim.EngineKind;
import dev.penstock.enginesim.step.Profile;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.ChildJvm;
import dev.penstock.testkit.FreePorts;
import dev.penstock.testkit.RawHttp;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Routers in processes of their own that are told to stop while streams run through them, beside one that stays. */
class RouterStopTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int STREAMS = 8;
    /** Some two seconds at this profile's 8 ms a step. */
    private static final int TOKENS = 250;
    /** Half a minute. */
    private static final int MANY_TOKENS = 4_000;

    @TempDir
    static Path data;

    private static Engines engines;
    private static Suite suite;
    private static Leaving patient;
    private static Leaving hasty;

    /** A router that is going to stop. */
    private record Leaving(ChildJvm process, int port) implements AutoCloseable {
        static Leaving start(String name, String grace) throws IOException {
            JsonObject run = new JsonObject(Files.readString(data.resolve("run.json")));
            int port = FreePorts.base(1);
            ChildJvm process = ChildJvm.of("dev.penstock.router.RouterMain")
                    .jvmArgs("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
                    .environment("PENSTOCK_NAME", name)
                    .environment("PENSTOCK__KAFKA__BOOTSTRAPSERVERS", run.getString("kafka"))
                    .environment("PENSTOCK__KAFKA__REPLICATIONFACTOR", "1")
                    .environment("PENSTOCK__REDIS__URL", run.getString("redis"))
                    .environment("PENSTOCK__DATA__DIRECTORY", data.resolve(name).toString())
                    .environment("PENSTOCK__ROUTER__PORT", "" + port)
                    .environment("PENSTOCK__ROUTER__MANAGEMENTPORT", "" + (port + 1))
                    .environment("PENSTOCK__ROUTER__WARMUP", "false")
                    .environment("PENSTOCK__ROUTER__GRACE", grace)
                    .start();
            return new Leaving(process, port);
        }

        /** Traffic is listened for last, once the fleet is known. */
        void awaitReady() {
            Await.until(
                    "it may send to every engine",
                    SOON,
                    () -> Suite.replicas(port).stream()
                                    .filter(replica -> replica.getBoolean("candidate"))
                                    .count()
                            == engines.count());
            Await.until(
                    "it listens", SOON, () -> Suite.get(port, "/v1/models").contains(Engines.model(EngineKind.VLLM)));
        }

        /** Told to stop; the exit code comes later. */
        CompletableFuture<Integer> stop() {
            return CompletableFuture.supplyAsync(() -> process.terminate(SOON));
        }

        @Override
        public void close() {
            process.close();
        }
    }

    @BeforeAll
    static void up() throws Exception {
        engines = Engines.start(
                EngineFleetOptions.defaults().withCount(2).withProfile(Profile.LLAMA_8B_H100), EngineKind.VLLM);
        suite = Suite.start(data, 1, engines.count(), "--replicas", engines.file(data));
        patient = Leaving.start("patient", "60s");
        hasty = Leaving.start("hasty", "2s");
        patient.awaitReady();
        hasty.awaitReady();
    }

    @AfterAll
    static void down() throws Exception {
        Suite.close(patient, hasty, suite, engines);
    }

    @Test
    void running_streams_end_whole_and_new_ones_go_elsewhere() throws Exception {
        List<RawHttp> clients = new ArrayList<>();
        for (int i = 0; i < STREAMS; i++) clients.add(stream(patient, TOKENS));
        for (RawHttp client : clients) client.awaitText("data: ", SOON);

        CompletableFuture<Integer> exit = patient.stop();

        Await.until("connects are refused", SOON, () -> refuses(patient));
        assertThat(exit).as("streams run").isNotDone();
        assertThat(RawHttp.exchange(suite.routerPorts().getFirst(), chat(4), SOON)
                        .status())
                .isEqualTo(200);
        for (RawHttp client : clients) {
            RawHttp.Response answer = client.readResponse(SOON);
            assertThat(answer.complete()).isTrue();
            assertThat(answer.bodyText()).endsWith("data: [DONE]\n\n");
            engines.assertSameAsSent(answer.header("x-penstock-replica"), answer.header("x-request-id"), answer.body());
            client.close();
        }
        assertThat(exit.get(SOON.toSeconds(), TimeUnit.SECONDS)).isZero();
    }

    @Test
    void a_stream_that_outlasts_the_grace_is_told_so() throws Exception {
        try (RawHttp client = stream(hasty, MANY_TOKENS)) {
            client.awaitText("data: ", SOON);

            CompletableFuture<Integer> exit = hasty.stop();

            RawHttp.Response answer = client.readResponse(SOON);
            List<String> events =
                    answer.bodyText().lines().filter(line -> !line.isEmpty()).toList();
            assertThat(answer.complete()).isFalse();
            assertThat(answer.bodyText()).doesNotContain("[DONE]");
            assertThat(new JsonObject(events.getLast().substring("data: ".length()))
                            .getJsonObject("error")
                            .getString("code"))
                    .isEqualTo("router_shutting_down");
            assertThat(exit.get(SOON.toSeconds(), TimeUnit.SECONDS)).isZero();
        }
    }

    private static RawHttp stream(Leaving router, int tokens) throws IOException {
        return RawHttp.connect(router.port()).send(Suite.chat(Engines.model(EngineKind.VLLM), "hello", true, tokens));
    }

    private static String chat(int tokens) {
        return Suite.chat(Engines.model(EngineKind.VLLM), "hello", false, tokens);
    }

    private static boolean refuses(Leaving router) {
        try (RawHttp accepted = RawHttp.connect(router.port())) {
            return false;
        } catch (ConnectException refused) {
            return true;
        } catch (IOException other) {
            return false;
        }
    }
}
