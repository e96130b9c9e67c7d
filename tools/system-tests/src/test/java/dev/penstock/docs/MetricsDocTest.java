package dev.penstock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.admission.AdmissionMetrics;
import dev.penstock.admission.ledger.LedgerMetrics;
import dev.penstock.advisor.AdvisorMetrics;
import dev.penstock.health.HealthMetrics;
import dev.penstock.kit.metrics.MetricNames;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class MetricsDocTest {
    private static final List<Class<?>> CLASSES = List.of(
            MetricNames.class, HealthMetrics.class, AdmissionMetrics.class, LedgerMetrics.class, AdvisorMetrics.class);
    private static final Pattern ROW = Pattern.compile("^\\| `(penstock_[a-z_]+)`", Pattern.MULTILINE);

    @Test
    void theDocumentListsEveryMetricAndNoOther() throws Exception {
        assertThat(listed())
                .as("docs/metrics.md: its rows are the constants of " + CLASSES)
                .containsExactlyInAnyOrderElementsOf(named());
    }

    private static List<String> listed() throws IOException {
        return ROW.matcher(DocFile.named("metrics.md").text())
                .results()
                .map(row -> row.group(1))
                .collect(Collectors.toList());
    }

    private static Set<String> named() throws IllegalAccessException {
        Set<String> names = new TreeSet<>();
        for (Class<?> each : CLASSES) {
            for (Field field : each.getFields()) {
                if (field.getType() != String.class) continue;
                String value = (String) field.get(null);
                if (value.startsWith("penstock_")) names.add(value);
            }
        }
        return names;
    }
}
