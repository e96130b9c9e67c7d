package dev.penstock.kit.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.kit.config.ConfigException;
import dev.penstock.kit.config.ConfigTree;
import dev.penstock.kit.config.Problem;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TracingConfigTest {
    @Test
    void there_is_no_tracing_unless_somebody_names_a_collector() throws ConfigException {
        ConfigTree tree = ConfigTree.of("");

        assertThat(TracingConfig.read(tree)).isEqualTo(new TracingConfig(null, 0.01));
        tree.finish();
        assertThat(tree.effective().get("tracing").toString())
                .isEqualTo("{\"otlpEndpoint\":null,\"sample\":\"1%\",\"captureErrors\":false}");
    }

    @Test
    void spans_go_to_the_path_of_the_protocol_below_the_collectors_address() throws ConfigException {
        for (String endpoint : List.of("http://c:4318", "http://c:4318/", "http://c:4318/v1/traces")) {
            ConfigTree tree = ConfigTree.of("tracing: {otlpEndpoint: '" + endpoint + "', sample: 12.5%}");

            assertThat(TracingConfig.read(tree))
                    .isEqualTo(new TracingConfig(URI.create("http://c:4318/v1/traces"), 0.125));
            tree.finish();
        }
        ConfigTree below = ConfigTree.of("tracing: {otlpEndpoint: 'https://c/tenant-a'}");
        assertThat(TracingConfig.read(below).tracesUrl()).isEqualTo(URI.create("https://c/tenant-a/v1/traces"));
    }

    @Test
    void what_is_no_collectors_address_is_refused() {
        for (String endpoint : List.of(
                "c:4318",
                "grpc://c:4317",
                "http://",
                "http://u:p@c:4318",
                "http://c:4318?x=1",
                "http://c d",
                "/traces")) {
            ConfigTree tree = ConfigTree.of("tracing: {otlpEndpoint: '" + endpoint + "'}");

            assertThat(TracingConfig.read(tree).tracesUrl()).isNull();
            assertThat(problems(tree)).extracting(Problem::path).containsExactly("tracing.otlpEndpoint");
        }
    }

    @Test
    void shares_above_all_and_unknown_keys_are_refused() {
        ConfigTree tree = ConfigTree.of("tracing: {sample: 101%, endpoint: x}");
        TracingConfig.read(tree);

        assertThat(problems(tree))
                .extracting(Problem::path)
                .containsExactlyInAnyOrder("tracing.sample", "tracing.endpoint");
    }

    @Test
    void failures_of_requests_that_are_not_sampled_cannot_be_asked_for() {
        ConfigTree tree = ConfigTree.of("tracing: {captureErrors: true}");
        TracingConfig.read(tree);

        assertThat(problems(tree)).singleElement().asString().contains("tail sampling");
    }

    @Test
    void the_environment_goes_before_the_file() throws ConfigException {
        ConfigTree tree = ConfigTree.load(
                null, Map.of("PENSTOCK__TRACING__OTLPENDPOINT", "http://e:4318", "PENSTOCK__TRACING__SAMPLE", "100%"));

        assertThat(TracingConfig.read(tree)).isEqualTo(new TracingConfig(URI.create("http://e:4318/v1/traces"), 1));
        tree.finish();
    }

    private static List<Problem> problems(ConfigTree tree) {
        ConfigException refused = catchThrowableOfType(ConfigException.class, tree::finish);
        return refused.problems();
    }
}
