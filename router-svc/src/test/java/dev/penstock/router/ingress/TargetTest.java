package dev.penstock.router.ingress;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TargetTest {
    @Test
    void path_and_query_stay_as_they_are() {
        assertThat(Target.of("/v1/x%2520y?a=%2F&flag&b"))
                .isEqualTo(new Target("/v1/x%2520y?a=%2F&flag&b", "/v1/x%2520y"));
    }

    @Test
    void of_an_absolute_form_only_the_path_counts() {
        assertThat(Target.of("http://other.example/v1/models?x")).isEqualTo(new Target("/v1/models?x", "/v1/models"));
    }

    @Test
    void what_no_request_line_can_have_is_none() {
        for (String raw :
                new String[] {"*", "v1", "/v1#f", "/v1?a b", "/v1\tx", "/v1\u0001", "/v1\u007F", "http://x", ""}) {
            assertThat(Target.of(raw)).as(raw).isNull();
        }
        assertThat(Target.of(null)).isNull();
    }
}
