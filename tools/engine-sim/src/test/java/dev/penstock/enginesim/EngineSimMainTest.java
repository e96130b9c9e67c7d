package dev.penstock.enginesim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class EngineSimMainTest {
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        CommandLine command = EngineSimMain.commandLine().setErr(new PrintWriter(err, true));
        return command.execute(args);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--profile=9b|unknown profile '9b', expected one of: fast, slow, 8b-h100",
                "--engines=0|engines: expected 1 or more, got 0",
                "--metrics-names=ancient|--metrics-names: expected new or old, got 'ancient'",
                "--name-filter=maybe|--name-filter: expected on or off, got 'maybe'",
                "--engine-kind=tgi|engine kind: expected vllm, sglang or mixed, got 'tgi'",
                "--enable-metrics=maybe|--enable-metrics: expected on or off, got 'maybe'",
                "--max-num-seqs=0|max_num_seqs: expected a positive number, got 0",
                "--port=-5|port: expected 0 or more, got -5",
                "--video-millis=0|video time: expected 1 ms or more, got 0",
                "--colour=red|Unknown option: '--colour=red'",
            })
    void a_bad_option_is_named_and_exits_with_2(String option, String message) {
        assertThat(run(option)).isEqualTo(2);
        assertThat(err.toString()).contains(message);
    }

    @Test
    void engines_of_several_ranks_publish_no_events_and_say_so() {
        assertThat(run("--ranks=2", "--kv-events=0")).isEqualTo(2);
        assertThat(err.toString()).contains("--kv-events: expected engines of one rank, got --ranks 2");
    }

    @Test
    void a_taken_port_exits_with_3() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            assertThat(run("--port=" + other.getLocalPort())).isEqualTo(3);
            assertThat(err.toString())
                    .isEqualTo("engine-sim: port " + other.getLocalPort() + " on 127.0.0.1 is taken, choose another one"
                            + System.lineSeparator());
        }
    }
}
