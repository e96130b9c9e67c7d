package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandsTest {
    @TempDir
    Path data;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense",
                "up --engines 0",
                "up --engines x",
                "up --engine http://h:1 --replicas f",
                "status --json --watch",
                "fault engine-0",
                "explain",
                "fault engine-0 clear --for 3s",
                "load --url http://127.0.0.1:1 --model m --rps 0",
                "load --url http://127.0.0.1:1 --model m --duration 3parsecs",
                "load --url http://127.0.0.1:1 --model m --output-tokens uniform:9:3",
                "load --url http://127.0.0.1:1",
                "load --url http://127.0.0.1:1 --model m --direct",
                "logs -n -1"
            })
    void wrongUseExitsWithTwo(String line) {
        Run run = Run.of(withData(line));

        assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).isNotBlank();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"status", "status --json", "down", "load", "fault engine-0 stall", "explain router-0-1", "logs"})
    void notRunningExitsWithThreeAndSaysHowToStart(String line) {
        Run run = Run.of(withData(line));

        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).contains("./penstock up");
    }

    @Test
    void helpAndVersionExitWithZero() {
        assertThat(Run.of("help").exitCode()).isZero();
        assertThat(Run.of("help").out())
                .contains("up", "down", "status", "load", "fault", "explain", "logs", "sim", "key");
        assertThat(Run.of().out()).contains("Usage: penstock");
        assertThat(Run.of("version").out()).matches("penstock \\d\\S+ \\(Java 25.*\\)\\R");
    }

    @Test
    void runFileOfADeadProcessIsRemoved() throws Exception {
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        writeRunFile(dead.pid(), Instant.now());

        Run run = Run.of(withData("status"));

        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(data.resolve("run.json")).doesNotExist();
    }

    @Test
    void processThatOnlyInheritedTheNumberIsNotTheStack() throws IOException {
        writeRunFile(ProcessHandle.current().pid(), Instant.parse("2001-01-01T00:00:00Z"));

        Run run = Run.of(withData("down"));

        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(data.resolve("run.json")).doesNotExist();
    }

    @Test
    void secondUpIsRefusedWithWhatToDo() throws IOException {
        writeRunFile(ProcessHandle.current().pid(), Instant.now());

        Run run = Run.of(withData("up"));

        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.err()).contains("already runs", "./penstock down");
    }

    @Test
    void statusJsonIsTheServersObjectAlone() throws IOException {
        try (var server = new ControlServer(200, "{\"routers\":[]}")) {
            server.writeRunFile(data);

            Run run = Run.of(withData("status --json"));

            assertThat(run).isEqualTo(new Run(0, "{\"routers\":[]}" + System.lineSeparator(), ""));
        }
    }

    @Test
    void faultSendsVerbArgumentsAndTime() throws IOException {
        try (var server = new ControlServer(200, "{\"ok\":true}")) {
            server.writeRunFile(data);

            Run run = Run.of(withData("fault engine-3 error 503 --for 30s"));

            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(server.calls)
                    .containsExactly("POST /fault {\"target\":\"engine-3\",\"verb\":\"error\",\"args\":[\"503\"],"
                            + "\"forMillis\":30000}");
        }
    }

    @Test
    void faultClearSendsTheTargetAlone() throws IOException {
        try (var server = new ControlServer(200, "{\"ok\":true}")) {
            server.writeRunFile(data);

            Run.of(withData("fault kafka clear"));

            assertThat(server.calls).containsExactly("POST /fault/clear {\"target\":\"kafka\"}");
        }
    }

    @Test
    void refusedFaultShowsTheServersWords() throws IOException {
        try (var server = new ControlServer(404, "{\"error\":\"no engine-99\"}")) {
            server.writeRunFile(data);

            Run run = Run.of(withData("fault engine-99 stall"));

            assertThat(run.exitCode()).isEqualTo(2);
            assertThat(run.err()).contains("no engine-99");
        }
    }

    @Test
    void purgeDeletesOnlyWhatUpMade() throws IOException {
        Path foreign = Files.createDirectory(data.resolve("foreign"));
        Path own = Files.createDirectory(data.resolve("own"));
        Files.writeString(foreign.resolve("thesis.txt"), "x");
        Files.writeString(own.resolve(DataDir.MARKER), "x");

        assertThat(Run.of("down", "--purge", "--data", foreign.toString()).exitCode())
                .isEqualTo(2);
        assertThat(Run.of("down", "--purge", "--data", own.toString()).exitCode())
                .isZero();

        assertThat(foreign.resolve("thesis.txt")).exists();
        assertThat(own).doesNotExist();
    }

    @Test
    void logsShowTheLastLinesOfAService() throws IOException {
        Files.createDirectories(data.resolve("logs"));
        Files.writeString(data.resolve("logs/penstock.log"), """
            {"timestamp":0,"level":"INFO","kvpList":[{"service":"router-0"},{"port":8080}],"formattedMessage":"first"}
            {"timestamp":0,"level":"INFO","kvpList":[{"service":"collector"}],"formattedMessage":"other"}
            {"timestamp":0,"level":"WARN","kvpList":[{"service":"router-1"},{"port":8180}],"formattedMessage":"last"}
            not json
            """);

        Run run = Run.of(withData("logs router -n 1"));

        assertThat(run.exitCode()).isZero();
        assertThat(run.out().lines().toList())
                .singleElement()
                .asString()
                .matches("\\d\\d:\\d\\d:00.000 WARN  router-1     last port=8180");
    }

    private void writeRunFile(long pid, Instant startedAt) throws IOException {
        Files.writeString(
                data.resolve("run.json"),
                "{\"pid\":%d,\"ready\":true,\"startedAt\":\"%s\",\"controlUrl\":\"http://127.0.0.1:1\"}"
                        .formatted(pid, startedAt));
    }

    private String[] withData(String line) {
        return (line.equals("nonsense") ? line : line + " --data " + data).split(" ");
    }
}
