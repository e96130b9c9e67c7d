package dev.penstock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.trace.TraceKeys;
import io.opentelemetry.api.common.AttributeKey;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class TracesDocTest {
    private static final Pattern ROW = Pattern.compile("^\\| `([a-z_.]+)`", Pattern.MULTILINE);

    @Test
    void theDocumentListsEverySpanEventAndAttributeAndNoOther() throws Exception {
        assertThat(listed())
                .as("docs/traces.md: its rows are the constants of TraceKeys")
                .containsExactlyInAnyOrderElementsOf(named());
    }

    private static List<String> listed() throws IOException {
        return ROW.matcher(DocFile.named("traces.md").text())
                .results()
                .map(row -> row.group(1))
                .collect(Collectors.toList());
    }

    private static Set<String> named() throws IllegalAccessException {
        Set<String> names = new TreeSet<>();
        for (Field field : TraceKeys.class.getFields()) {
            Object value = field.get(null);
            if (value instanceof AttributeKey<?> key) names.add(key.getKey());
            else if (field.getName().endsWith("_SPAN") || field.getName().endsWith("_EVENT")) names.add((String) value);
        }
        return names;
    }
}
