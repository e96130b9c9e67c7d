package dev.penstock.router.realtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ModelQueryTest {
    @Test
    void a_model_is_decoded_wherever_it_is() {
        assertThat(model("/v1/realtime?model=org%2Fm-7b")).isEqualTo("org/m-7b");
        assertThat(model("/v1/realtime?a=b&model=org/m&c")).isEqualTo("org/m");
        assertThat(model("/v1/realtime?m%6fdel=x")).isEqualTo("x");
    }

    @Test
    void what_names_no_model_or_two_is_none() {
        assertThat(model("/v1/realtime")).isNull();
        assertThat(model("/v1/realtime?")).isNull();
        assertThat(model("/v1/realtime?model")).isNull();
        assertThat(model("/v1/realtime?model=&a=b")).isNull();
        assertThat(model("/v1/realtime?model=%20")).isNull();
        assertThat(model("/v1/realtime?model=%zz")).isNull();
        assertThat(model("/v1/realtime?model=a&model=b")).isNull();
        assertThat(model("/v1/realtime?model=" + "x".repeat(1_025))).isNull();
    }

    @Test
    void only_the_models_value_is_replaced() {
        ModelQuery query = ModelQuery.of("/v1/realtime?x=%2f&model=alias&y=+");

        assertThat(query).isNotNull();
        assertThat(query.uriFor("alias")).isEqualTo("/v1/realtime?x=%2f&model=alias&y=+");
        assertThat(query.uriFor("org/m 7")).isEqualTo("/v1/realtime?x=%2f&model=org%2Fm+7&y=+");
    }

    private static @Nullable String model(String uri) {
        ModelQuery query = ModelQuery.of(uri);
        return query == null ? null : query.model();
    }
}
