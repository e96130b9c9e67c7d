package dev.penstock.router.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.Sha256;
import dev.penstock.testkit.raw.RawClient;
import dev.penstock.testkit.raw.SeenRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Only a value that is to be changed changes: numbers, escapes, order and spaces are the client's. */
@ExtendWith(CaseExtension.class)
class O12UntouchedFieldsTest {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final String BODY = "{ \"model\":\"%s\", \"seed\":9007199254740993, \"temperature\":0.10,"
            + " \"big\":123456789012345678901234567890, \"exp\":1E-7, \"top_p\":1.0,"
            + " \"s\":\"\\u4f60\\/ \\ud83d\\udeb0\", \"vllm_xargs\":{\"k\":[1,2.50]},"
            + " \"chat_template_kwargs\":{\"enable_thinking\":false}, \"tools\":[], \"x\":null,"
            + " \"messages\":[{\"role\":\"user\",\"content\":\"<b>&'\"}] }";

    private final RouterScene scene;

    O12UntouchedFieldsTest(RouterScene scene) {
        this.scene = scene;
    }

    @Test
    void a_body_without_an_alias_passes_byte_for_byte() throws Exception {
        arrives_as("org/m-7b");
    }

    @Test
    void an_alias_is_all_that_changes() throws Exception {
        arrives_as("alias-m");
    }

    @Test
    void an_alias_with_escapes_is_found_and_replaced() throws Exception {
        arrives_as("alias\\u002dm");
    }

    private void arrives_as(String sentModel) throws Exception {
        String expected = BODY.formatted("org/m-7b");
        try (Fleet fleet = scene.fleet(1)) {
            assertThat(RawClient.exchange(scene.port(), Requests.chat(BODY.formatted(sentModel)), SOON)
                            .statuses())
                    .containsExactly(200);

            SeenRequest seen = fleet.only();
            assertThat(seen.bodyText()).isEqualTo(expected);
            assertThat(seen.sha256()).isEqualTo(Sha256.hex(expected.getBytes(StandardCharsets.UTF_8)));
            assertThat(seen.values("content-length")).isEqualTo(List.of(String.valueOf(expected.length())));
        }
    }
}
