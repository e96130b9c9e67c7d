package dev.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AwaitTest {
    private static final Duration SHORT = Duration.ofMillis(50);

    @Test
    void returns_the_first_value_wanted() {
        AtomicInteger count = new AtomicInteger();

        int seen = Await.value("a third look", Duration.ofSeconds(5), count::incrementAndGet, n -> n == 3);

        assertThat(seen).isEqualTo(3);
    }

    @Test
    void fails_with_the_description_and_the_last_value_seen() {
        assertThatThrownBy(() -> Await.value("the moon", SHORT, () -> "cheese", "rock"::equals))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("the moon")
                .hasMessageContaining("last seen: cheese");
        assertThatThrownBy(() -> Await.until("the sun", SHORT, () -> false))
                .hasMessageContaining("the sun")
                .hasMessageContaining("false");
    }

    @Test
    void a_condition_that_throws_is_not_yet_so() {
        AtomicInteger count = new AtomicInteger();

        Await.until("an assertion that passes at last", Duration.ofSeconds(5), () -> {
            assertThat(count.incrementAndGet()).isGreaterThan(2);
            return true;
        });

        assertThatThrownBy(() -> Await.until("a bug", SHORT, () -> {
                    throw new IllegalStateException("broken");
                }))
                .hasMessageContaining("broken")
                .hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void an_interrupt_ends_the_wait() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> Await.until("never", Duration.ofMinutes(5), () -> false))
                .hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
    }
}
