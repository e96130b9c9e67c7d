package dev.penstock.router.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.MultiMap;
import org.junit.jupiter.api.Test;

class DeadlineTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void the_least_of_what_is_said_counts() {
        assertThat(Deadline.of(headers(), 0, false)).isZero();
        assertThat(Deadline.of(headers(), 3_000, true)).isEqualTo(3 * SECOND);
        assertThat(Deadline.of(headers().add("X-Request-Timeout-Ms", "1500"), 3_000, true))
                .isEqualTo(1_500_000_000L);
        assertThat(Deadline.of(headers().add("x-request-timeout-ms", "9000"), 3_000, true))
                .isEqualTo(3 * SECOND);
        assertThat(Deadline.of(headers().add("x-stainless-timeout", "2"), 0, false))
                .isEqualTo(2 * SECOND);
        assertThat(Deadline.of(headers().add("x-stainless-read-timeout", "0.5"), 0, false))
                .isEqualTo(SECOND / 2);
    }

    @Test
    void a_clients_silence_limit_does_not_end_its_stream() {
        assertThat(Deadline.of(headers().add("x-stainless-read-timeout", "1"), 0, true))
                .isZero();
    }

    @Test
    void what_is_no_time_says_nothing() {
        for (String text : new String[] {"", "soon", "-1", "0", "NaN", "Infinity", "1e300"}) {
            assertThat(Deadline.of(headers().add("x-request-timeout-ms", text), 0, true))
                    .as(text)
                    .isZero();
        }
    }

    private static MultiMap headers() {
        return MultiMap.caseInsensitiveMultiMap();
    }
}
