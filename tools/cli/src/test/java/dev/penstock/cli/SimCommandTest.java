package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimCommandTest {
    @TempDir
    private Path folder;

    @Test
    void anUnknownScenarioIsWrongUseAndListsTheKnown() {
        Run run = Run.of("sim", "nope");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("'nope'", "balance", "sparse", "embeddings", "routers");
    }

    @Test
    void seedsAreAtLeastOne() {
        Run run = Run.of("sim", "balance", "--seeds", "0");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--seeds", "0");
    }

    @Test
    void jsonIsOneObjectAndTheExitCodeSaysWhetherBarsHold() throws Exception {
        Path svg = folder.resolve("balance.svg");

        Run run = Run.of("sim", "balance", "--seeds", "1", "--json", "--svg", svg.toString());

        JsonNode json = Json.MAPPER.readTree(run.out());
        assertThat(json.fieldNames())
                .toIterable()
                .containsExactly("name", "seeds", "ok", "figures", "baselines", "bars", "command");
        assertThat(json.path("name").asText()).isEqualTo("balance");
        assertThat(json.path("seeds").asInt()).isEqualTo(1);
        assertThat(json.at("/figures/waited_pct/mean").isNumber()).isTrue();
        assertThat(json.at("/baselines/p2c_raw/max_over_mean_inflight/ci95").isNumber())
                .isTrue();
        assertThat(json.at("/bars/0").fieldNames())
                .toIterable()
                .containsExactly("figure", "op", "limit", "value", "ok", "baseline", "baselineValue", "baselineMisses");
        assertThat(json.path("command").asText()).isEqualTo("./penstock sim balance --seeds 1");
        assertThat(run.exitCode()).isEqualTo(json.path("ok").asBoolean() ? 0 : 1);
        assertThat(svg).content().startsWith("<svg ");
        assertThat(run.err()).contains("penstock, 1 seeds");
    }

    @Test
    void textHasAFigurePerPolicyAndTheBars() {
        Run run = Run.of("sim", "routers", "--seeds", "1");

        assertThat(run.out())
                .contains("dead_count_seconds", "penstock", "<= 3.0", "Again: ./penstock sim routers --seeds 1");
    }

    @Test
    void aTraceIsReplayedAtTheSpeedAskedFor() throws Exception {
        Path file = Files.writeString(
                folder.resolve("two.csv"),
                "arrival,prompt_tokens,output_tokens,session,model\n0,100,10,,\n100,200,20,,\n");

        Run run = Run.of("sim", "trace", "--trace", file.toString(), "--speed", "10", "--seeds", "1");

        assertThat(run.out())
                .contains("two.csv (2 requests) at 10", "--trace " + file + " --speed 10.0 --seeds 1", ">= 10.0");
    }

    @Test
    void aWrongTraceIsWrongUseAndNamesTheLine() throws Exception {
        Path file = Files.writeString(
                folder.resolve("bad.csv"), "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46.6,x,44\n");

        Run run = Run.of("sim", "trace", "--trace", file.toString());

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("bad.csv, line 2: ContextTokens: expected a whole number", "got 'x'");
    }

    @Test
    void traceAndSpeedAreForScenarioTrace() {
        assertThat(Run.of("sim", "balance", "--trace", "x.csv").err()).contains("--trace", "'balance'");
        assertThat(Run.of("sim", "trace", "--speed", "2").err()).contains("--speed: needs --trace");
        assertThat(Run.of("sim", "trace", "--trace", "x.csv", "--speed", "0").err())
                .contains("--speed", "0.0");
        Run missing =
                Run.of("sim", "trace", "--trace", folder.resolve("none.csv").toString());
        assertThat(missing.exitCode()).isEqualTo(2);
        assertThat(missing.err()).contains("Cannot read", "none.csv");
    }
}
