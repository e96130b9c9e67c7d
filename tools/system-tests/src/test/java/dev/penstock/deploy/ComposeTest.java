package dev.penstock.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.collector.discovery.DiscoveredReplica;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What compose.yaml, its .env and the image promise, held to the code. No Docker needed; .ci/compose-smoke runs it. */
class ComposeTest {
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Z0-9_]+)}");
    private static final Path CONFIG = Repository.file("docker/config/penstock.yaml");
    private static final String CONFIG_MOUNT = "/etc/penstock/config";
    private static final String DISCOVERY_MOUNT = "/etc/penstock/discovery";

    private final String text = Repository.text("compose.yaml");
    private final Map<String, String> env = readEnv();
    private final Map<String, Object> raw = Repository.yaml(text);
    private final Map<String, Object> compose = Repository.yaml(substitute(text));

    @Test
    void every_variable_is_set_in_the_env_file() {
        TreeSet<String> used = new TreeSet<>();
        VARIABLE.matcher(text).results().forEach(match -> used.add(match.group(1)));

        assertThat(env.keySet()).containsExactlyInAnyOrderElementsOf(used);
    }

    @Test
    void images_are_pinned_and_only_in_the_env_file() {
        services(raw).forEach((name, service) -> {
            String image = String.valueOf(service.get("image"));
            assertThat(image).as("image of " + name).matches("\\$\\{[A-Z]+_IMAGE}");
            assertThat(env.get(image.substring(2, image.length() - 1)))
                    .as("image of " + name)
                    .matches("[a-z0-9./-]+:[^:]*\\d[^:]*");
        });
        assertThat(Repository.text("Dockerfile")).containsPattern("(?m)^ARG BASE_IMAGE=[a-z-]+:25[^\\s]*$");
    }

    @Test
    void ports_are_published_on_loopback_only() {
        services(compose).forEach((name, service) -> {
            for (Object port : list(service, "ports")) {
                assertThat(String.valueOf(port)).as("port of " + name).matches("127\\.0\\.0\\.1:\\d+:\\d+");
            }
        });
        List<String> published = services(compose).values().stream()
                .flatMap(service -> list(service, "ports").stream())
                .map(port -> String.valueOf(port).split(":")[1])
                .toList();
        assertThat(published).doesNotHaveDuplicates();
    }

    @Test
    void all_have_a_health_check_a_memory_limit_and_time_to_stop() {
        services(compose).forEach((name, service) -> {
            assertThat(map(service, "healthcheck")).as(name).containsKeys("test", "interval", "timeout", "retries");
            assertThat(service).as(name).containsKeys("mem_limit", "stop_grace_period", "logging", "restart");
            assertThat(service).as(name).doesNotContainKeys("container_name", "network_mode", "privileged");
        });
        assertThat(compose).doesNotContainKey("version");
    }

    @Test
    void the_default_set_fits_into_four_gigabytes() {
        int total = services(compose).values().stream()
                .filter(service -> !service.containsKey("profiles"))
                .mapToInt(service -> mebibytes(String.valueOf(service.get("mem_limit"))))
                .sum();

        assertThat(total).isLessThan(4096);
    }

    @Test
    void services_wait_for_health_not_for_start() {
        services(compose).forEach((name, service) -> map(service, "depends_on").forEach((other, how) -> {
            assertThat(services(compose)).as(name + " depends on " + other).containsKey(other);
            assertThat(how).as(name + " depends on " + other).isEqualTo(Map.of("condition", "service_healthy"));
        }));
    }

    @Test
    void services_run_without_rights_on_a_read_only_root() {
        ours().forEach((name, service) -> {
            assertThat(service).as(name).containsEntry("read_only", true).containsEntry("cap_drop", List.of("ALL"));
            assertThat(texts(service, "security_opt")).as(name).contains("no-new-privileges:true");
            // without exec Netty silently falls back to NIO
            assertThat(list(service, "tmpfs")).as(name).anySatisfy(mount -> assertThat(String.valueOf(mount))
                    .startsWith("/tmp:")
                    .contains("exec"));
        });
        assertThat(Repository.text("Dockerfile")).contains("USER 65532:65532");
    }

    @Test
    void every_service_starts_with_the_mounted_configuration() {
        Map<String, Integer> instances = new TreeMap<>();
        ours().forEach((name, service) -> {
            List<String> command = texts(service, "command");
            if (!Services.has(command.getFirst())) return;
            instances.merge(command.getFirst(), 1, Integer::sum);
            Map<String, String> environment = environment(service);
            assertThat(environment).as(name).containsKey("PENSTOCK_NAME");
            assertThat(environment.keySet()).as(name).allMatch(Services::isVariable);
            assertThat(command.subList(1, command.size()))
                    .as(name)
                    .containsExactly("--config", CONFIG_MOUNT + "/penstock.yaml");
            assertThat(texts(service, "volumes")).as(name).contains("./docker/config:" + CONFIG_MOUNT + ":ro");
            assertThat(mebibytes(String.valueOf(service.get("mem_limit"))))
                    .as(name)
                    .isGreaterThanOrEqualTo(256);

            Services.readAll(CONFIG, environment);
            Services.Listens listens = Services.of(command.getFirst()).read(CONFIG, environment);

            assertThat(seconds(String.valueOf(service.get("stop_grace_period"))))
                    .as(name)
                    .isGreaterThan((int) listens.grace().toSeconds());
            assertThat(listens.host()).as(name).isEqualTo("0.0.0.0");
            assertThat(containerPorts(service)).as(name).containsExactlyInAnyOrderElementsOf(listens.ports());
            assertThat(texts(map(service, "healthcheck"), "test"))
                    .as(name)
                    .containsExactly("CMD", "/app/bin/healthy", String.valueOf(listens.managementPort()));
        });

        assertThat(instances).isEqualTo(Map.of("router", 2, "health", 1, "collector", 1, "admission", 1, "advisor", 1));
    }

    @Test
    void names_of_instances_differ() {
        List<String> names = ours().values().stream()
                .map(service -> environment(service).get("PENSTOCK_NAME"))
                .filter(name -> name != null)
                .toList();

        assertThat(names).hasSize(6).doesNotHaveDuplicates();
    }

    @Test
    void a_key_that_nobody_reads_would_be_noticed() {
        Map<String, String> wrong = Map.of("PENSTOCK__HEALTH__HOSTS", "0.0.0.0");

        assertThatThrownBy(() -> Services.readAll(CONFIG, wrong)).hasMessageContaining("hosts");
    }

    @Test
    void the_collector_finds_every_engine_by_its_service() {
        Map<String, Object> collector = ours().get("collector");
        Path file = Services.replicaFile(CONFIG, environment(collector));
        assertThat(file).isEqualTo(Path.of(DISCOVERY_MOUNT, "replicas.yaml"));
        assertThat(texts(collector, "volumes")).contains("./docker/discovery:" + DISCOVERY_MOUNT + ":ro");

        List<DiscoveredReplica> replicas = ManifestsTest.replicas(Repository.text("docker/discovery/replicas.yaml"));

        Map<String, Object> engines = new TreeMap<>();
        ours().forEach((name, service) -> {
            if (texts(service, "command").getFirst().equals("engine-sim")) engines.put(name, service);
        });
        assertThat(replicas.stream()
                        .map(replica -> URI.create(replica.endpoint()).getHost()))
                .containsExactlyInAnyOrderElementsOf(engines.keySet());
        for (DiscoveredReplica replica : replicas) {
            URI endpoint = URI.create(replica.endpoint());
            List<String> command = texts(ours().get(endpoint.getHost()), "command");
            assertThat(command).as(replica.name()).containsSubsequence("--port", String.valueOf(endpoint.getPort()));
            assertThat(command)
                    .as(replica.name())
                    .containsSubsequence(
                            "--engine-kind", replica.engine().name().toLowerCase(Locale.ROOT));
        }
    }

    @Test
    void the_entry_point_knows_main_classes_that_exist() throws ClassNotFoundException {
        Map<String, String> mains = new HashMap<>();
        Matcher matcher =
                Pattern.compile("(?m)^ {2}([a-z-]+)\\) main=(\\S+) ;;$").matcher(Repository.text("docker/image/run"));
        while (matcher.find()) mains.put(matcher.group(1), matcher.group(2));

        assertThat(mains).hasSize(Services.values().length + 1).containsKey("engine-sim");
        for (Services each : Services.values()) assertThat(mains).containsKey(each.word);
        for (String main : mains.values()) {
            assertThat(Class.forName(main, false, ComposeTest.class.getClassLoader())
                            .getDeclaredMethods())
                    .as(main)
                    .anyMatch(method -> method.getName().equals("main"));
        }
    }

    @Test
    void scripts_can_be_run() {
        for (String script :
                List.of("docker/build.sh", "docker/image/run", "docker/image/healthy", ".ci/compose-smoke")) {
            assertThat(Files.isExecutable(Repository.file(script))).as(script).isTrue();
        }
    }

    static Map<String, Map<String, Object>> services(Map<String, Object> compose) {
        Map<String, Map<String, Object>> services = new LinkedHashMap<>();
        map(compose, "services").keySet().forEach(name -> services.put(name, map(map(compose, "services"), name)));
        return services;
    }

    static Map<String, Object> substituted() {
        return new ComposeTest().compose;
    }

    private Map<String, Map<String, Object>> ours() {
        Map<String, Map<String, Object>> ours = new LinkedHashMap<>();
        services(raw).forEach((name, service) -> {
            if ("${PENSTOCK_IMAGE}".equals(service.get("image")))
                ours.put(name, services(compose).get(name));
        });
        return ours;
    }

    private String substitute(String yaml) {
        return VARIABLE.matcher(yaml)
                .replaceAll(match -> Matcher.quoteReplacement(env.getOrDefault(match.group(1), "not-set")));
    }

    private static Map<String, String> readEnv() {
        Map<String, String> env = new LinkedHashMap<>();
        Repository.text(".env")
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .forEach(line -> {
                    int equals = line.indexOf('=');
                    env.put(line.substring(0, equals), line.substring(equals + 1));
                });
        return env;
    }

    private static Map<String, String> environment(Map<String, Object> service) {
        Map<String, String> environment = new TreeMap<>();
        map(service, "environment").forEach((key, value) -> environment.put(key, String.valueOf(value)));
        return environment;
    }

    private static List<Integer> containerPorts(Map<String, Object> service) {
        return list(service, "ports").stream()
                .map(port -> Integer.valueOf(String.valueOf(port).split(":")[2]))
                .toList();
    }

    private static int mebibytes(String limit) {
        assertThat(limit).matches("\\d+m");
        return Integer.parseInt(limit.substring(0, limit.length() - 1));
    }

    private static int seconds(String period) {
        assertThat(period).matches("\\d+s");
        return Integer.parseInt(period.substring(0, period.length() - 1));
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> map(Map<String, Object> of, String key) {
        return (Map<String, Object>) of.getOrDefault(key, Map.of());
    }

    private static List<?> list(Map<String, Object> of, String key) {
        return (List<?>) of.getOrDefault(key, List.of());
    }

    static List<String> texts(Map<String, Object> of, String key) {
        return list(of, key).stream().map(String::valueOf).toList();
    }
}
