package dev.penstock.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.enginesim.EngineFleetOptions;
import dev.penstock.enginesim.EngineKind;
import dev.penstock.enginesim.EngineSim;
import dev.penstock.enginesim.engine.RequestCounts;
import dev.penstock.enginesim.fault.Fault;
import dev.penstock.enginesim.step.Profile;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.RawHttp;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SGLang may work on for a client that is gone: a router tells it by name to stop. */
class AbortByNameTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    /** Half a minute of work at this profile's 8 ms a step. */
    private static final int MAX_TOKENS = 4_000;
    /** health-svc's probes make one each, and not as many while it is waited. */
    private static final int MORE_THAN_PROBES = 20;

    @TempDir
    static Path data;

    private static Engines engines;
    private static EngineSim engine;
    private static Suite suite;

    @BeforeAll
    static void up() throws Exception {
        engines = Engines.start(
                EngineFleetOptions.defaults().withCount(1).withProfile(Profile.LLAMA_8B_H100), EngineKind.SGLANG);
        engine = engines.only(EngineKind.SGLANG);
        // With it nothing else stops work that nobody waits for.
        Engines.fault(engine, new Fault.Zombies());
        suite = Suite.start(data, 1, engines.count(), "--replicas", engines.file(data));
    }

    @AfterAll
    static void down() throws Exception {
        Suite.close(suite, engines);
    }

    @Test
    void a_stream_that_its_client_leaves_is_aborted() throws Exception {
        RequestCounts before = engine.state().requests();
        RawHttp client =
                RawHttp.connect(port()).send(Suite.chat(Engines.model(EngineKind.SGLANG), "hello", true, MAX_TOKENS));
        client.awaitText("data: ", SOON);

        client.close();

        awaitAborted(before);
    }

    @Test
    void so_is_an_answer_that_had_not_begun() throws Exception {
        RequestCounts before = engine.state().requests();
        long made = generatedTokens();
        RawHttp client =
                RawHttp.connect(port()).send(Suite.chat(Engines.model(EngineKind.SGLANG), "hello", false, MAX_TOKENS));
        Await.until("it runs", SOON, () -> generatedTokens() > made + MORE_THAN_PROBES);

        client.reset();

        awaitAborted(before);
    }

    private static long generatedTokens() {
        return Suite.get(engine.port(), "/metrics")
                .lines()
                .filter(line -> line.startsWith("sglang:generation_tokens_total"))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private static void awaitAborted(RequestCounts before) {
        Await.until("the engine was told and has stopped", SOON, () -> {
            RequestCounts now = engine.state().requests();
            assertThat(now.abortCalls()).isEqualTo(before.abortCalls() + 1);
            assertThat(now.aborted()).isEqualTo(before.aborted() + 1);
            assertThat(engine.state().running()).isZero();
            return true;
        });
        Await.until("nothing is in flight", SOON, () -> Suite.inflightGauges(port()).stream()
                .allMatch(line -> line.matches(".* 0(\\.0)?")));
    }

    private static int port() {
        return suite.routerPorts().getFirst();
    }
}
