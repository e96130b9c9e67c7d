package dev.penstock.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.admission.AdmissionMetrics;
import dev.penstock.advisor.AdvisorMetrics;
import dev.penstock.health.HealthMetrics;
import dev.penstock.kit.metrics.MetricNames;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The alerts and dashboards ask for metrics that the code has, and the files know each other. */
class ObservabilityTest {
    private static final Pattern METRIC = Pattern.compile("\\bpenstock_[a-z0-9_]+");
    private static final Path CONFIG = Repository.file("docker/config/penstock.yaml");

    private final Map<String, Object> datasources =
            Repository.yaml(Repository.text("docker/grafana/provisioning/datasources/prometheus.yaml"));
    private final Map<String, Object> dashboards =
            Repository.yaml(Repository.text("docker/grafana/provisioning/dashboards/penstock.yaml"));
    private final Map<String, Object> dashboard =
            Repository.yaml(Repository.text("docker/grafana/dashboards/penstock.json"));

    @Test
    void alerts_ask_for_metrics_there_are() throws IllegalAccessException {
        List<Map<String, Object>> rules = new ArrayList<>();
        for (Map<String, Object> group :
                maps(Repository.yaml(Repository.text("docker/prometheus/rules.yml")), "groups")) {
            rules.addAll(maps(group, "rules"));
        }

        assertThat(rules).isNotEmpty().allSatisfy(rule -> {
            assertThat(rule).containsKeys("alert", "expr", "for", "labels", "annotations");
            assertThat(String.valueOf(rule.get("alert"))).startsWith("Penstock");
            assertThat(ComposeTest.map(rule, "annotations")).containsOnlyKeys("summary", "action");
            assertThat(ComposeTest.map(rule, "labels"))
                    .hasEntrySatisfying("severity", severity -> assertThat(String.valueOf(severity))
                            .isIn("critical", "warning"));
        });
        assertThat(rules).extracting(rule -> rule.get("alert")).doesNotHaveDuplicates();
        asksFor(rules.stream().map(rule -> String.valueOf(rule.get("expr"))).toList());
    }

    @Test
    void dashboards_ask_for_metrics_there_are_of_the_provisioned_source() throws IllegalAccessException {
        String uid = String.valueOf(maps(datasources, "datasources").getFirst().get("uid"));
        List<String> expressions = new ArrayList<>();
        for (Map<String, Object> panel : maps(dashboard, "panels")) {
            assertThat(ComposeTest.map(panel, "datasource")).containsEntry("uid", uid);
            for (Map<String, Object> target : maps(panel, "targets")) {
                assertThat(ComposeTest.map(target, "datasource")).containsEntry("uid", uid);
                expressions.add(String.valueOf(target.get("expr")));
            }
        }

        asksFor(expressions);
    }

    @Test
    void prometheus_scrapes_the_management_port_of_every_service() {
        Map<String, Object> prometheus = Repository.yaml(Repository.text("docker/prometheus/prometheus.yml"));
        TreeSet<String> targets = new TreeSet<>();
        for (Map<String, Object> job : maps(prometheus, "scrape_configs")) {
            for (Map<String, Object> group : maps(job, "static_configs"))
                targets.addAll(ComposeTest.texts(group, "targets"));
        }

        TreeSet<String> expected = new TreeSet<>();
        ComposeTest.services(ComposeTest.substituted()).forEach((name, service) -> {
            List<String> command = ComposeTest.texts(service, "command");
            if (command.isEmpty() || !Services.has(command.getFirst())) return;
            expected.add(name + ":"
                    + Services.of(command.getFirst()).read(CONFIG, Map.of()).managementPort());
        });
        assertThat(targets).isEqualTo(expected).hasSize(6);
    }

    @Test
    void files_are_mounted_where_they_are_looked_for() {
        Map<String, Map<String, Object>> services = ComposeTest.services(ComposeTest.substituted());
        Object path = ComposeTest.map(maps(dashboards, "providers").getFirst(), "options")
                .get("path");

        assertThat(ComposeTest.texts(services.get("grafana"), "volumes"))
                .contains(
                        "./docker/grafana/dashboards:" + path + ":ro",
                        "./docker/grafana/provisioning:/etc/grafana/provisioning:ro");
        assertThat(ComposeTest.texts(services.get("prometheus"), "volumes"))
                .contains("./docker/prometheus:/etc/prometheus:ro");
        assertThat(maps(datasources, "datasources").getFirst().get("url")).isEqualTo("http://prometheus:9090");
    }

    private static void asksFor(List<String> expressions) throws IllegalAccessException {
        TreeSet<String> known = names();
        for (String expression : expressions) {
            assertThat(METRIC.matcher(expression).results().map(match -> match.group()))
                    .as(expression)
                    .allMatch(known::contains);
            assertThat(expression).as("parentheses").satisfies(ObservabilityTest::balanced);
        }
        assertThat(expressions)
                .anyMatch(expression -> METRIC.matcher(expression).find());
    }

    private static void balanced(String expression) {
        long open =
                expression.chars().filter(c -> c == '(' || c == '{' || c == '[').count();
        long closed =
                expression.chars().filter(c -> c == ')' || c == '}' || c == ']').count();
        assertThat(open).isEqualTo(closed);
    }

    private static TreeSet<String> names() throws IllegalAccessException {
        TreeSet<String> names = new TreeSet<>();
        for (Class<?> registry :
                List.of(MetricNames.class, HealthMetrics.class, AdmissionMetrics.class, AdvisorMetrics.class)) {
            for (Field field : registry.getFields()) {
                if (field.getType() == String.class
                        && field.get(null) instanceof String name
                        && name.startsWith("penstock_")) {
                    names.add(name);
                }
            }
        }
        return names;
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> maps(Map<String, Object> of, String key) {
        return (List<Map<String, Object>>) of.getOrDefault(key, List.of());
    }
}
