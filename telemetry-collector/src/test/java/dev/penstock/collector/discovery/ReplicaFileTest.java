package dev.penstock.collector.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.config.Problem;
import dev.penstock.model.EngineKind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReplicaFileTest {
    @Test
    void every_field_is_read() {
        var result = ReplicaFile.parse("""
            replicas:
              - {name: engine-0, endpoint: "http://127.0.0.1:20000", models: [sim/llama-3-8b], engine: vllm, hardwareClass: h100}
              - {name: engine-1, endpoint: "http://[::1]:20001/", metricsEndpoint: "http://m:1", zone: z, maxInflight: 4, labels: {a: b}}
            """);

        assertThat(result)
                .isEqualTo(new ReplicaFile.Good(List.of(
                        new DiscoveredReplica(
                                "engine-0",
                                "http://127.0.0.1:20000",
                                null,
                                List.of("sim/llama-3-8b"),
                                EngineKind.VLLM,
                                "h100",
                                null,
                                null,
                                Map.of()),
                        new DiscoveredReplica(
                                "engine-1",
                                "http://[::1]:20001",
                                "http://m:1",
                                List.of(),
                                EngineKind.AUTO,
                                null,
                                "z",
                                4,
                                Map.of("a", "b")))));
    }

    @Test
    void where_kv_events_are_published_is_read() {
        var result = ReplicaFile.parse("""
            replicas:
              - {name: a, endpoint: "http://h:1", kvEvents: "tcp://h:5557", kvReplay: "tcp://h:5558"}
              - {name: b, endpoint: "http://h:2", kvEvents: "tcp://h:5559"}
            """);

        assertThat(((ReplicaFile.Good) result).replicas())
                .extracting(DiscoveredReplica::kvEvents)
                .containsExactly(
                        new DiscoveredReplica.KvSource("tcp://h:5557", "tcp://h:5558"),
                        new DiscoveredReplica.KvSource("tcp://h:5559", null));
    }

    @Test
    void no_replicas_is_a_list_too() {
        assertThat(ReplicaFile.parse("replicas: []")).isEqualTo(new ReplicaFile.Good(List.of()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                                                           | the file             | nothing      |"
                        + " a map with the key replicas",
                "'replicas:'                                                  | replicas             | nothing      |"
                        + " a list of replicas",
                "'{replicas: [], more: 1}'                                    | more                 | 1            |"
                        + " the key replicas only",
                "'replicas: [x]'                                              | replicas[0]          | \"x\"        |"
                        + " a map like",
                "'replicas: [{endpoint: \"http://a:1\"}]'                     | replicas[0].name     | nothing      |"
                        + " a name of",
                "'replicas: [{name: \"a b\", endpoint: \"http://a:1\"}]'      | replicas[0].name     | \"a b\"      |"
                        + " a name of",
                "'replicas: [{name: a, endpoint: \"http://a:1\", kvEvents: \"tcp://*:1\"}]' | replicas[0].kvEvents |"
                        + " \"tcp://*:1\" | tcp://host:5557",
                "'replicas: [{name: a, endpoint: \"http://a:1\", kvReplay: \"tcp://a:1\"}]' | replicas[0].kvReplay |"
                        + " \"tcp://a:1\" | kvEvents beside it",
                "'replicas: [{name: a}]'                                      | replicas[0].endpoint | nothing      |"
                        + " http://host:port",
                "'replicas: [{name: a, endpoint: \"a:1\"}]'                   | replicas[0].endpoint | \"a:1\"      |"
                        + " http://host:port",
                "'replicas: [{name: a, endpoint: \"https://a:1\"}]'           | replicas[0].endpoint | \"https://a:1\""
                        + " | http://host:port",
                "'replicas: [{name: a, endpoint: \"http://a:99999\"}]'        | replicas[0].endpoint |"
                        + " \"http://a:99999\" | http://host:port",
                "'replicas: [{name: a, endpoint: \"http://a:1/v1\"}]'         | replicas[0].endpoint |"
                        + " \"http://a:1/v1\" | http://host:port",
                "'replicas: [{name: a, endpoint: \"http://a:1\", model: m}]'  | replicas[0].model    | \"m\"        |"
                        + " one of the keys",
                "'replicas: [{name: a, endpoint: \"http://a:1\", models: m}]' | replicas[0].models   | \"m\"        |"
                        + " a list of model names",
                "'replicas: [{name: a, endpoint: \"http://a:1\", engine: x}]' | replicas[0].engine   | \"x\"        |"
                        + " vllm, sglang or auto",
                "'replicas: [{name: a, endpoint: \"http://a:1\", maxInflight: 0}]' | replicas[0].maxInflight | 0    |"
                        + " above 0",
                "'replicas: [{name: a, endpoint: \"http://a:1\"}, {name: a, endpoint: \"http://a:2\"}]' |"
                        + " replicas[1].name | \"a\" | replicas[0] has it",
                "'replicas: [{name: a, name: b}]'                             | line 1               | name         |"
                        + " YAML",
                "'replicas: ['                                                | line 1               | while parsing  "
                        + "   | YAML",
            })
    void what_is_wrong_is_named(String text, String path, String value, String expected) {
        var result = ReplicaFile.parse(text);

        assertThat(result).isInstanceOf(ReplicaFile.Bad.class);
        Problem problem = ((ReplicaFile.Bad) result).problems().getFirst();
        assertThat(problem.path()).isEqualTo(path);
        assertThat(problem.value()).contains(value);
        assertThat(problem.expected()).contains(expected);
    }
}
