package dev.penstock.enginesim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.enginesim.fault.Fault;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** LoRA adapters come and go while an engine runs. */
class AdapterTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String LOAD = "/v1/load_lora_adapter";
    private static final String UNLOAD = "/v1/unload_lora_adapter";
    private static final String INFO =
            "/metrics/?name[]=vllm:lora_requests_info".replace("[", "%5B").replace("]", "%5D");

    @Test
    void a_loaded_adapter_is_listed_and_serves_until_it_is_unloaded() throws Exception {
        try (RunningFleet running = RunningFleet.ofOne()) {
            assertThat(ask(running, "sql").statusCode()).isEqualTo(404);

            HttpResponse<String> loaded = running.post(LOAD, "{\"lora_name\":\"sql\",\"lora_path\":\"/loras/sql\"}");
            assertThat(loaded.statusCode()).isEqualTo(200);
            assertThat(loaded.body()).isEqualTo("Success: LoRA adapter 'sql' added successfully.");
            JsonNode listed = JSON.readTree(running.get("/v1/models").body()).path("data");
            assertThat(listed.get(0).path("parent").isNull()).isTrue();
            assertThat(listed.get(1).path("id").asText()).isEqualTo("sql");
            assertThat(listed.get(1).path("root").asText()).isEqualTo("/loras/sql");
            assertThat(listed.get(1).path("parent").asText()).isEqualTo("sim/llama-3-8b");
            HttpResponse<String> answer = ask(running, "sql");
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(JSON.readTree(answer.body()).path("model").asText()).isEqualTo("sql");

            HttpResponse<String> unloaded = running.post(UNLOAD, "{\"lora_name\":\"sql\"}");
            assertThat(unloaded.statusCode()).isEqualTo(200);
            assertThat(unloaded.body()).isEqualTo("Success: LoRA adapter 'sql' removed successfully.");
            assertThat(JSON.readTree(running.get("/v1/models").body()).path("data"))
                    .hasSize(1);
            HttpResponse<String> gone = ask(running, "sql");
            assertThat(gone.statusCode()).isEqualTo(404);
            assertThat(gone.body()).contains("The model `sql` does not exist.", "NotFoundError");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /v1/load_lora_adapter   | {'lora_name':'sql','lora_path':'/l'}  | 400 | 'message':'The lora adapter 'sql' has already been loaded. If you want to load the adapter in place, set 'load_inplace' to True.','type':'InvalidUserInput','param':null,'code':400
        /v1/load_lora_adapter   | {'lora_name':'','lora_path':'/l'}     | 400 | Both 'lora_name' and 'lora_path' must be provided.
        /v1/load_lora_adapter   | {'lora_name':'x'}                     | 400 | 'loc': ('body', 'lora_path'), 'msg': 'Field required'
        /v1/load_lora_adapter   | {'lora_name':'x','lora_path':'/missing'} | 404 | No adapter found for /missing
        /v1/load_lora_adapter   | {'lora_name':'sim/llama-3-8b','lora_path':'/l'} | 400 | conflicts with a served base model
        /v1/load_lora_adapter   | nonsense                              | 400 | JSON decode error
        /v1/unload_lora_adapter | {'lora_name':'other'}                 | 404 | The lora adapter 'other' cannot be found.
        /v1/unload_lora_adapter | {'lora_name':''}                      | 400 | 'lora_name' needs to be provided to unload a LoRA adapter.
        """, quoteCharacter = '~')
    void what_cannot_be_is_refused_as_vllm_does(String path, String body, int status, String message) throws Exception {
        try (RunningFleet running = RunningFleet.ofOne()) {
            running.post(LOAD, "{\"lora_name\":\"sql\",\"lora_path\":\"/l\"}");

            HttpResponse<String> response = running.post(path, body.replace('\'', '"'));

            assertThat(response.statusCode()).isEqualTo(status);
            assertThat(response.body().replace('"', '\'')).contains(message);
            assertThat(running.post(LOAD, "{\"lora_name\":\"sql\",\"lora_path\":\"/l2\",\"load_inplace\":true}")
                            .statusCode())
                    .isEqualTo(200);
            assertThat(running.get(LOAD).statusCode()).isEqualTo(405);
        }
    }

    @Test
    void the_page_tells_which_adapters_are_used_and_never_forgets() throws Exception {
        try (RunningFleet running = RunningFleet.withMaxNumSeqs(1)) {
            assertThat(running.get(INFO).body()).isEmpty();
            running.post(LOAD, "{\"lora_name\":\"sql\",\"lora_path\":\"/l\"}");
            running.post(LOAD, "{\"lora_name\":\"chat\",\"lora_path\":\"/l\"}");

            CompletableFuture<HttpResponse<String>> first = asking(running, "sql", 2_000);
            RunningFleet.awaitUntil("sql runs", Duration.ofSeconds(5), () -> page(running)
                    .contains(
                            "vllm:lora_requests_info{max_lora=\"4\",running_lora_adapters=\"sql\",waiting_lora_adapters=\"\"}"
                                + " "));
            CompletableFuture<HttpResponse<String>> second = asking(running, "chat", 5);
            RunningFleet.awaitUntil("chat waits", Duration.ofSeconds(5), () -> page(running)
                    .contains("running_lora_adapters=\"sql\",waiting_lora_adapters=\"chat\"} "));
            first.join();
            second.join();

            String after = page(running);
            assertThat(after).contains("running_lora_adapters=\"chat\",waiting_lora_adapters=\"\"} ");
            assertThat(after).contains("running_lora_adapters=\"sql\",waiting_lora_adapters=\"\"} ");
            String latest = after.lines()
                    .filter(line -> !line.startsWith("#"))
                    .max((a, b) -> Double.compare(value(a), value(b)))
                    .orElseThrow();
            assertThat(latest).contains("running_lora_adapters=\"\",waiting_lora_adapters=\"\"");
        }
    }

    @Test
    void an_adapter_shares_no_cached_prompt_with_its_base() throws Exception {
        try (RunningFleet running = RunningFleet.ofOne()) {
            running.post(LOAD, "{\"lora_name\":\"sql\",\"lora_path\":\"/l\"}");
            String prompt = "word ".repeat(200);
            running.post("/v1/completions", "{\"prompt\":\"" + prompt + "\",\"max_tokens\":1}");

            running.post("/v1/completions", "{\"model\":\"sql\",\"prompt\":\"" + prompt + "\",\"max_tokens\":1}");
            assertThat(running.metric("vllm:prompt_tokens_cached_total")).isZero();

            running.post("/v1/completions", "{\"model\":\"sql\",\"prompt\":\"" + prompt + "\",\"max_tokens\":1}");
            assertThat(running.metric("vllm:prompt_tokens_cached_total")).isGreaterThan(200);
        }
    }

    @Test
    void a_new_process_has_none() throws Exception {
        try (RunningFleet running = RunningFleet.ofOne()) {
            running.post(LOAD, "{\"lora_name\":\"sql\",\"lora_path\":\"/l\"}");
            running.fault(new Fault.Kill());
            running.clearFault();

            assertThat(JSON.readTree(running.get("/v1/models").body()).path("data"))
                    .hasSize(1);
            assertThat(running.get(INFO).body()).isEmpty();
        }
    }

    @Test
    void sglang_has_its_own_paths_and_words() throws Exception {
        try (RunningFleet running =
                new RunningFleet(EngineFleetOptions.defaults().withKind(EngineKind.SGLANG))) {
            HttpResponse<String> loaded =
                    running.post("/load_lora_adapter", "{\"lora_name\":\"sql\",\"lora_path\":\"/l\"}");
            assertThat(loaded.statusCode()).isEqualTo(200);
            assertThat(loaded.body())
                    .isEqualTo("{\"success\":true,\"error_message\":\"\",\"loaded_adapters\":{\"sql\":\"/l\"}}");
            assertThat(running.post("/load_lora_adapter", "{\"lora_name\":\"sql\",\"lora_path\":\"/l\"}")
                            .statusCode())
                    .isEqualTo(400);
            JsonNode listed = JSON.readTree(running.get("/v1/models").body()).path("data");
            assertThat(listed.get(1).path("parent").asText()).isEqualTo("sim/llama-3-8b");
            assertThat(ask(running, "sql").statusCode()).isEqualTo(200);
            assertThat(ask(running, "sim/llama-3-8b:sql").statusCode()).isEqualTo(200);
            assertThat(ask(running, "sim/llama-3-8b:other").statusCode()).isEqualTo(404);

            assertThat(running.post("/unload_lora_adapter", "{\"lora_name\":\"sql\"}")
                            .statusCode())
                    .isEqualTo(200);
            HttpResponse<String> again = running.post("/unload_lora_adapter", "{\"lora_name\":\"sql\"}");
            assertThat(again.statusCode()).isEqualTo(400);
            assertThat(again.body()).contains("\"success\":false", "LoRA adapter 'sql' is not loaded.");
            assertThat(running.post(LOAD, "{}").statusCode()).isEqualTo(404);
        }
    }

    private static HttpResponse<String> ask(RunningFleet running, String model) throws Exception {
        return running.post("/v1/chat/completions", body(model, 2));
    }

    private static CompletableFuture<HttpResponse<String>> asking(RunningFleet running, String model, int tokens) {
        return running.client.sendAsync(
                running.posting("/v1/chat/completions", body(model, tokens)), BodyHandlers.ofString());
    }

    private static String body(String model, int tokens) {
        return "{\"model\":\"" + model + "\",\"messages\":" + RunningFleet.HELLO + ",\"max_tokens\":" + tokens + "}";
    }

    private static String page(RunningFleet running) {
        try {
            return running.get(INFO).body();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static double value(String line) {
        return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
    }
}
