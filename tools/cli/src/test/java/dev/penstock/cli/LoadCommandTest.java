package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadCommandTest {
    private static final String ANSWER = "{\"choices\":[]}";

    @TempDir
    Path data;

    @Test
    void takesRoutersEnginesAndModelFromTheRunningStack() throws IOException {
        try (var server = new ControlServer(200, ANSWER)) {
            server.writeRunFile(data);

            Run run = load("--rps", "50", "--direct", "--no-stream", "--output-tokens", "7");

            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.out()).contains("routed: ", "direct: ");
            assertThat(server.calls)
                    .allMatch(call -> call.startsWith("POST /v1/chat/completions {\"model\":\"m\",")
                            && call.endsWith("\"max_tokens\":7,\"stream\":false}"));
        }
    }

    @Test
    void anyErrorExitsWithOneAndStillReports() throws IOException {
        try (var server = new ControlServer(500, "{}")) {
            server.writeRunFile(data);

            Run run = load("--concurrency", "2", "--json");

            assertThat(run.exitCode()).isEqualTo(1);
            var report = Json.MAPPER.readTree(run.out());
            assertThat(report.path("errors").path("status_500").asLong())
                    .isPositive()
                    .isEqualTo(report.path("sent").asLong());
        }
    }

    private Run load(String... options) {
        String[] args = new String[options.length + 5];
        System.arraycopy(new String[] {"load", "--data", data.toString(), "--duration", "300ms"}, 0, args, 0, 5);
        System.arraycopy(options, 0, args, 5, options.length);
        return Run.of(args);
    }
}
