package dev.penstock.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.Await;
import dev.penstock.testkit.RawHttp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A LoRA adapter that is loaded into one engine and out of it again, while the suite runs. */
class AdapterTest {
    /** Promised are 2 s; a busy machine takes its time. */
    private static final Duration SEEN = Duration.ofSeconds(6);

    private static final String ADAPTER = "support-bot";
    private static final String HOLDER = "engine-1";
    private static final int REQUESTS = 12;

    @TempDir
    Path data;

    @Test
    void an_adapter_is_a_model_of_the_engines_that_hold_it() throws Exception {
        try (Suite suite = Suite.start(data, 1, 3, "--engines", "3")) {
            int router = suite.routerPorts().getFirst();
            int engine = suite.enginePorts().get(HOLDER);
            assertThat(chat(router).status()).isEqualTo(404);

            assertThat(adapter(engine, "load", "{\"lora_name\":\"" + ADAPTER + "\",\"lora_path\":\"/adapters/s\"}"))
                    .isEqualTo(200);
            Await.until("the router serves it", SEEN, () -> chat(router).status() == 200);
            for (int i = 0; i < REQUESTS; i++) {
                assertThat(chat(router).header("x-penstock-replica")).isEqualTo(HOLDER);
            }
            assertThat(Suite.get(router, "/v1/models")).contains(ADAPTER);

            assertThat(adapter(engine, "unload", "{\"lora_name\":\"" + ADAPTER + "\"}"))
                    .isEqualTo(200);
            Await.until(
                    "the router knows that nobody has it",
                    SEEN,
                    () -> chat(router).status() == 503);
            assertThat(Suite.get(router, "/v1/models")).doesNotContain(ADAPTER);
        }
    }

    private static RawHttp.Response chat(int port) {
        return exchange(port, Suite.chat(ADAPTER, "hi", false, 1));
    }

    private static int adapter(int port, String verb, String body) {
        return exchange(port, Suite.post("/v1/" + verb + "_lora_adapter", body)).status();
    }

    private static RawHttp.Response exchange(int port, String request) {
        try {
            return RawHttp.exchange(port, request, Suite.ANSWER_TIMEOUT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
