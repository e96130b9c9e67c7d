package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

class BenchCommandTest {
    @Test
    void anUnknownBenchmarkIsWrongUseAndListsTheKnown() {
        Run run = Run.of("bench", "nope");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("'nope'", "decide", "explain");
    }

    @Test
    void jsonIsOneObjectAndTheExitCodeSaysWhetherBarsHold() throws Exception {
        Run run = Run.of("bench", "explain", "--json");

        JsonNode json = Json.MAPPER.readTree(run.out());
        assertThat(json.fieldNames())
                .toIterable()
                .containsExactly("name", "seeds", "ok", "figures", "baselines", "bars", "command");
        assertThat(json.path("name").asText()).isEqualTo("explain");
        assertThat(json.path("seeds").asInt()).isPositive();
        assertThat(json.at("/figures/redecided_pct/mean").asDouble()).isEqualTo(100);
        assertThat(json.at("/figures/bytes_per_op/mean").asDouble(1)).isLessThanOrEqualTo(0.01);
        assertThat(json.at("/figures/decide_p99_ratio_with_record/ci95").isNumber())
                .isTrue();
        assertThat(json.at("/bars/0").fieldNames())
                .toIterable()
                .containsExactly("figure", "op", "limit", "value", "ok");
        assertThat(json.path("command").asText()).isEqualTo("./penstock bench explain");
        assertThat(run.exitCode()).isEqualTo(json.path("ok").asBoolean() ? 0 : 1);
        assertThat(run.err()).contains("explain: round 1 of");
    }
}
