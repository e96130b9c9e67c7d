package dev.penstock.relaybench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class LiveObjectsTest {
    private static final String HISTOGRAM = """
         num     #instances         #bytes  class name (module)
        -------------------------------------------------------
           1:         12345         987654  [B (java.base@25)
           2:            20            480  a.Request
           3:             1             24  a.Request
        Total         12366         988158
        """;

    @Test
    void a_class_has_as_many_objects_as_its_lines_say() {
        assertThat(LiveObjects.of(HISTOGRAM).classToCount())
                .isEqualTo(Map.of("[B (java.base@25)", 12_345L, "a.Request", 21L));
    }

    @Test
    void the_class_that_has_grown_most_is_told() {
        LiveObjects before = new LiveObjects(Map.of("[B (java.base@25)", 12_300L, "a.Gone", 900L));
        LiveObjects after = LiveObjects.of(HISTOGRAM);

        assertThat(after.mostGrownSince(before, "")).isEqualTo(Map.entry("[B (java.base@25)", 45L));
        assertThat(after.mostGrownSince(before, "a.")).isEqualTo(Map.entry("a.Request", 21L));
        assertThat(after.mostGrownSince(after, "").getValue()).isZero();
    }
}
