package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigCommandTest {
    @TempDir
    private Path folder;

    @Test
    void a_good_file_is_said_to_be_good() throws IOException {
        Path file = file("""
            router: {port: 8080}
            models:
              - {name: m, deadline: 2m, retry: {on: [502, reset], budget: 5%}, split: {m: 9, n: 1}}
              - {name: n, stream: {firstByte: 30s}}
            """);

        Run run = Run.of("config", "check", file.toString());

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).isEqualTo(file + " is good" + System.lineSeparator());
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void every_problem_of_every_services_part_is_named_at_once() throws IOException {
        Path file = file("""
            router: {port: many}
            health: {surprise: 1}
            models: [{name: m, retry: {on: [503]}, split: {n: 1}}]
            """);

        Run run = Run.of("config", "check", file.toString());

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .contains(
                        file + " is wrong:",
                        "  router.port: many, expected a whole number from 0 to 65535",
                        "  health.surprise: 1, expected no such key",
                        "  models[0].retry.on: 503, expected any of 500, 502, 504, reset",
                        "  models[0].split: n, expected the name of a listed model, no alias");
    }

    @Test
    void a_file_that_is_not_there_is_a_problem_too() {
        Run run = Run.of("config", "check", folder.resolve("none.yaml").toString());

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("none.yaml: NoSuchFileException, expected a readable YAML file");
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("penstock.yaml"), text);
    }
}
