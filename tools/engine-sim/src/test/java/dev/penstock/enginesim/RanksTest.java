package dev.penstock.enginesim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.enginesim.step.Profile;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Several schedulers behind one port. */
class RanksTest {
    private static final FleetLayout THREE = FleetLayout.of(Profile.FAST).withRanks(3);

    @Test
    void work_is_spread_over_the_ranks_of_a_vllm_engine() throws Exception {
        try (RunningFleet running = new RunningFleet(EngineFleetOptions.defaults(), THREE)) {
            List<CompletableFuture<HttpResponse<String>>> requests = ask(running, 30);
            RunningFleet.awaitUntil(
                    "all run",
                    Duration.ofSeconds(10),
                    () -> running.engine.state().running() == 30);

            String page = running.get("/metrics").body();
            double all = 0;
            for (int rank = 0; rank < 3; rank++) {
                double there =
                        value(page, "vllm:num_requests_running{engine=\"" + rank + "\",model_name=\"sim/llama-3-8b\"}");
                // One that has just begun counts a fourth of one that waits: a rank may be that much ahead.
                assertThat(there).isBetween(5.0, 15.0);
                all += there;
            }
            assertThat(all).isEqualTo(30);
            assertThat(page.split("# TYPE vllm:num_requests_running gauge", -1)).hasSize(2);
            assertThat(page).contains("vllm:generation_tokens_total{engine=\"2\"", "block_size=\"16\"");
            requests.forEach(request -> assertThat(request.join().statusCode()).isEqualTo(200));
            RunningFleet.awaitUntil(
                    "none runs any more",
                    Duration.ofSeconds(10),
                    () -> running.engine.state().running() == 0);
        }
    }

    @Test
    void sglang_reports_the_load_of_each_rank() throws Exception {
        try (RunningFleet running =
                new RunningFleet(EngineFleetOptions.defaults().withKind(EngineKind.SGLANG), THREE)) {
            List<CompletableFuture<HttpResponse<String>>> requests = ask(running, 6);
            RunningFleet.awaitUntil(
                    "all run",
                    Duration.ofSeconds(10),
                    () -> running.engine.state().running() == 6);

            JsonNode report =
                    new ObjectMapper().readTree(running.get("/v1/loads").body());
            assertThat(report.path("dp_rank_count").asInt()).isEqualTo(3);
            assertThat(report.path("loads")).hasSize(3);
            for (int rank = 0; rank < 3; rank++) {
                assertThat(report.path("loads").get(rank).path("dp_rank").asInt())
                        .isEqualTo(rank);
                assertThat(report.path("loads")
                                .get(rank)
                                .path("num_running_reqs")
                                .asInt())
                        .isBetween(1, 4);
            }
            assertThat(report.path("aggregate").path("total_running_reqs").asInt())
                    .isEqualTo(6);
            assertThat(running.get("/metrics").body()).contains("sglang:num_running_reqs{dp_rank=\"2\",engine_type");
            requests.forEach(request -> assertThat(request.join().statusCode()).isEqualTo(200));
        }
    }

    @Test
    void engines_of_a_fleet_may_differ() throws Exception {
        EngineFleetOptions three = EngineFleetOptions.defaults().withCount(3);
        try (RunningFleet running = new RunningFleet(three, new FleetLayout(List.of(Profile.FAST, Profile.SLOW), 1))) {
            assertThat(running.fleet.engines())
                    .extracting(engine -> engine.state().profile())
                    .containsExactly("fast", "slow", "slow");
        }
    }

    private static List<CompletableFuture<HttpResponse<String>>> ask(RunningFleet running, int requests) {
        List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
            asked.add(running.client.sendAsync(
                    running.posting("/v1/chat/completions", RunningFleet.chat(1_500, "")), BodyHandlers.ofString()));
        }
        return asked;
    }

    private static double value(String page, String series) {
        var matcher = Pattern.compile("^" + Pattern.quote(series) + " (\\S+)$", Pattern.MULTILINE)
                .matcher(page);
        assertThat(matcher.find()).as(series).isTrue();
        return Double.parseDouble(matcher.group(1));
    }
}
