package dev.penstock.kit.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfigTreeTest {
    private enum Source {
        FILE,
        STATIC_LIST
    }

    @Test
    void shared_parts_have_the_defaults_of_the_contract() throws ConfigException {
        ConfigTree config = ConfigTree.load(null, Map.of());

        assertThat(KafkaConfig.read(config)).isEqualTo(new KafkaConfig("127.0.0.1:9092", (short) 3));
        assertThat(RedisConfig.read(config)).isEqualTo(new RedisConfig("redis://127.0.0.1:6379"));
        assertThat(DataConfig.read(config)).isEqualTo(new DataConfig(Path.of(".penstock")));
        config.finish();
    }

    @Test
    void values_are_read_in_the_units_people_write() throws ConfigException {
        ConfigTree config = ConfigTree.of("""
            router: {port: 8080, name: r, interval: 50ms, bodyMemory: 256MiB, warmUp: false, source: static-list, on: [a, b]}
            models: [{name: m, queue: {maxWait: 5s}}]
            """);
        ConfigSection router = config.section("router");

        assertThat(router.port("port", 1)).isEqualTo(8080);
        assertThat(router.optionalString("name")).isEqualTo("r");
        assertThat(router.duration("interval", Duration.ZERO)).isEqualTo(Duration.ofMillis(50));
        assertThat(router.bytes("bodyMemory", 0)).isEqualTo(256L << 20);
        assertThat(router.bool("warmUp", true)).isFalse();
        assertThat(router.choice("source", Source.class, Source.FILE)).isEqualTo(Source.STATIC_LIST);
        assertThat(router.strings("on", List.of())).containsExactly("a", "b");
        ConfigSection model = config.list("models").get(0);
        assertThat(model.string("name", "")).isEqualTo("m");
        assertThat(model.section("queue").duration("maxWait", Duration.ZERO)).isEqualTo(Duration.ofSeconds(5));
        config.finish();
        assertThat(config.effective().at("/models/0/queue/maxWait").asText()).isEqualTo("5s");
    }

    @Test
    void one_report_names_every_problem() {
        ConfigTree config = ConfigTree.of("""
            router: {port: 99999, interval: soon, bodyMemory: much, warmUp: maybe, source: other, on: 5, prot: 1}
            models: [{nam: m}]
            rooter: {}
            """);
        ConfigSection router = config.section("router");
        assertThat(router.port("port", 8080)).isEqualTo(8080);
        router.duration("interval", Duration.ofMillis(50));
        router.bytes("bodyMemory", 1);
        router.bool("warmUp", true);
        router.choice("source", Source.class, Source.FILE);
        router.strings("on", List.of());
        config.list("models").get(0).string("name", "");

        ConfigException report = catchThrowableOfType(ConfigException.class, config::finish);

        assertThat(report.problems())
                .extracting(Problem::toString)
                .contains(
                        "router.port: 99999, expected a whole number from 0 to 65535",
                        "router.interval: soon, expected a duration like 50ms, 1s, 5m or 2h",
                        "router.bodyMemory: much, expected a size like 512KiB, 256MiB or 1GiB",
                        "router.warmUp: maybe, expected true or false",
                        "router.source: other, expected one of file, static-list",
                        "router.on: 5, expected a list of texts",
                        "router.prot: 1, expected no such key; known are bodyMemory, interval, on, port, source,"
                                + " warmUp",
                        "models[0].nam: m, expected no such key; known are name")
                .anyMatch(line -> line.startsWith("rooter: a section, expected no such key; known are admission,"))
                .hasSize(9);
    }

    @Test
    void environment_wins_and_ignores_single_underscores_and_case() throws ConfigException {
        ConfigTree config = ConfigTree.load(
                null,
                Map.of(
                        "PENSTOCK__ROUTER__MANAGEMENTPORT", "9",
                        "PENSTOCK_ROUTER_PORT", "tcp://10.0.0.1:80",
                        "PENSTOCK__ROUTER__ON", "a, b",
                        "PENSTOCK__HEALTH__WHATEVER", "x"));
        ConfigSection router = config.section("router");

        assertThat(router.port("managementPort", 8081)).isEqualTo(9);
        assertThat(router.port("port", 8080)).isEqualTo(8080);
        assertThat(router.strings("on", List.of())).containsExactly("a", "b");
        config.finish();
    }

    @Test
    void unknown_environment_key_is_a_problem() {
        ConfigTree config = ConfigTree.load(null, Map.of("PENSTOCK__ROUTER__PROT", "9"));
        config.section("router").port("port", 1);

        assertThatThrownBy(config::finish).hasMessageContaining("router.prot: 9, expected no such key; known are port");
    }

    @Test
    void parts_of_other_services_are_left_alone() throws ConfigException {
        ConfigTree config = ConfigTree.of("health: {whatever: 1}\nmodels: 5\n");
        config.finish();

        assertThat(config.effective()).isEmpty();
    }

    @Test
    void secrets_are_not_shown() throws ConfigException {
        ConfigTree config = ConfigTree.of("security: {managementToken: abc}\nredis: {url: 'redis://u:p@h:1'}\n");
        config.section("security").optionalString("managementToken");
        assertThat(RedisConfig.read(config).url()).isEqualTo("redis://u:p@h:1");
        config.finish();

        assertThat(config.effective())
                .hasToString("{\"security\":{\"managementToken\":\"***\"},\"redis\":{\"url\":\"redis://***@h:1\"}}");
    }

    @Test
    void missing_and_broken_files_are_problems() {
        ConfigTree missing = ConfigTree.load(Path.of("/no/such/file.yaml"), Map.of());
        ConfigTree broken = ConfigTree.of("a: [1\nb: }");
        ConfigTree twice = ConfigTree.of("router: {}\nrouter: {}\n");

        assertThatThrownBy(missing::finish).hasMessageContaining("/no/such/file.yaml");
        assertThatThrownBy(broken::finish).hasMessageContaining("expected YAML");
        assertThatThrownBy(twice::finish).hasMessageContaining("uplicate");
    }
}
