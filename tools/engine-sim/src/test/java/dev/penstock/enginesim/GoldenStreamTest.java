package dev.penstock.enginesim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One stream of each API and engine, byte for byte, in {@code src/test/resources/golden}. Times are written as 7. To write
 * the files anew: {@code -Dgolden.write=true}.
 */
class GoldenStreamTest {
    private static final Path FILES = Path.of("src/test/resources/golden");

    private static RunningFleet vllm;
    private static RunningFleet sglang;

    @BeforeAll
    static void start() {
        vllm = RunningFleet.ofOne();
        sglang = RunningFleet.ofKind(EngineKind.SGLANG);
    }

    @AfterAll
    static void stop() {
        vllm.close();
        sglang.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "chat|/v1/chat/completions|{\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}],\"max_tokens\":3,\"stream\":true,\"stream_options\":{\"include_usage\":true}}",
                "completions|/v1/completions|{\"prompt\":\"hello\",\"max_tokens\":3,\"stream\":true,\"stream_options\":{\"include_usage\":true}}",
                "responses|/v1/responses|{\"input\":\"hello\",\"max_output_tokens\":3,\"stream\":true,\"instructions\":\"be"
                    + " \\\"brief\\\"\",\"metadata\":{\"k\":\"v\"}}",
                "messages|/v1/messages|{\"model\":\"sim/llama-3-8b\",\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}],\"max_tokens\":3,\"stream\":true}",
            })
    void a_stream_is_these_bytes(String name, String path, String body) throws Exception {
        check("vllm-" + name, vllm.post(path, body, "X-Request-Id", "r-1").body());
        check("sglang-" + name, sglang.post(path, body, "X-Request-Id", "r-1").body());
    }

    @ParameterizedTest
    @CsvSource({"transcriptions", "translations"})
    void a_stream_of_a_form_is_these_bytes(String name) throws Exception {
        byte[] form = new MultipartBody()
                .field("model", "sim/llama-3-8b")
                .field("stream", "true")
                .field("max_completion_tokens", "3")
                .file("file", "a.wav", new byte[1000])
                .bytes();
        check("vllm-" + name, vllm.postForm("/v1/audio/" + name, form, "r-1").body());
        check(
                "sglang-" + name,
                sglang.postForm("/v1/audio/" + name, form, "r-1").body());
    }

    private static void check(String name, String body) throws IOException {
        String steady = body.replaceAll("\"(created|created_at)\":\\d+", "\"$1\":7");
        Path file = FILES.resolve(name.toLowerCase(Locale.ROOT) + ".sse");
        if (Boolean.getBoolean("golden.write")) {
            Files.createDirectories(FILES);
            Files.writeString(file, steady);
        }
        assertThat(steady).isEqualTo(Files.readString(file));
    }
}
