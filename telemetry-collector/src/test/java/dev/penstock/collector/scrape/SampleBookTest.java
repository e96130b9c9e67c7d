package dev.penstock.collector.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.model.Freshness;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SampleBookTest {
    private static final int NUMBER = 17;

    private final ManualClock clock = ManualClock.overflowingIn(Duration.ofSeconds(1));
    private final AtomicInteger inflight = new AtomicInteger();
    private final SampleBook book =
            new SampleBook(Duration.ofMillis(50), Duration.ofSeconds(1), number -> inflight.get(), number -> 0);
    private long steps = 1_000;

    SampleBookTest() {
        book.add(NUMBER, clock.getAsLong());
    }

    @Test
    void what_was_never_read_is_missing() {
        assertThat(freshness()).isEqualTo(Freshness.MISSING);
        assertThat(book.aged(NUMBER, clock.getAsLong())).isNull();
    }

    @Test
    void an_idle_engine_stays_fresh_although_nothing_moves() {
        for (int i = 0; i < 100; i++) {
            scrape(0, 0);
            clock.advanceMillis(100);
            assertThat(freshness()).isEqualTo(Freshness.FRESH);
        }
        assertThat(interval()).isEqualTo(1_000);
    }

    @Test
    void an_engine_that_works_stays_fresh() {
        for (int i = 0; i < 100; i++) {
            if (i % 5 == 0) steps++;
            scrape(4, 0);
            assertThat(ageMillis()).isZero();
            clock.advanceMillis(50);
        }
        assertThat(interval()).isEqualTo(50);
    }

    @Test
    void a_page_frozen_under_load_becomes_stale_and_then_missing_and_recovers() {
        scrape(4, 0);

        scrapeFor(500, 4);
        assertThat(freshness()).isEqualTo(Freshness.FRESH);
        scrapeFor(50, 4);
        assertThat(freshness()).isEqualTo(Freshness.STALE);
        assertThat(ageMillis()).isEqualTo(550);
        scrapeFor(1_450, 4);
        assertThat(freshness()).isEqualTo(Freshness.STALE);
        scrapeFor(50, 4);
        assertThat(freshness()).isEqualTo(Freshness.MISSING);

        steps++;
        scrape(4, 0);
        assertThat(freshness()).isEqualTo(Freshness.FRESH);
    }

    @Test
    void an_idle_page_is_frozen_when_routers_have_requests_there() {
        scrape(0, 0);
        inflight.set(3);

        scrapeFor(650, 0);
        assertThat(freshness()).isEqualTo(Freshness.STALE);
        scrapeFor(1_500, 0);
        assertThat(freshness()).isEqualTo(Freshness.MISSING);

        inflight.set(0);
        scrape(0, 0);
        assertThat(freshness()).isEqualTo(Freshness.FRESH);
    }

    @Test
    void a_request_after_a_long_rest_has_its_own_grace() {
        scrape(0, 0);
        clock.advanceMillis(900);
        inflight.set(1);
        scrape(0, 0);
        clock.advanceMillis(450);
        scrape(1, 0);
        assertThat(freshness()).isEqualTo(Freshness.FRESH);
    }

    @Test
    void an_engine_that_stopped_answering_becomes_stale_and_then_missing() {
        scrape(4, 0);

        clock.advanceMillis(150);
        assertThat(freshness()).isEqualTo(Freshness.FRESH);
        clock.advanceMillis(1);
        assertThat(freshness()).isEqualTo(Freshness.STALE);
        clock.advanceMillis(1_850);
        assertThat(freshness()).isEqualTo(Freshness.MISSING);
    }

    @Test
    void without_a_counter_any_change_is_movement() {
        book.scraped(NUMBER, new Reading(1, 0, 5, -1, false, false), false, clock.getAsLong());
        clock.advanceMillis(700);
        book.scraped(NUMBER, new Reading(1, 0, 6, -1, false, false), false, clock.getAsLong());

        assertThat(ageMillis()).isZero();
    }

    @Test
    void the_interval_follows_the_load() {
        scrape(0, 0);
        clock.advanceMillis(5_001);
        assertThat(interval()).isEqualTo(1_000);

        book.gotTraffic(NUMBER, clock.getAsLong());
        assertThat(interval()).isEqualTo(50);
        clock.advanceMillis(5_001);
        assertThat(interval()).isEqualTo(1_000);

        inflight.set(1);
        assertThat(interval()).isEqualTo(50);
        book.scraped(NUMBER, new Reading(0, 0, 0, 1, false, false), true, clock.getAsLong());
        assertThat(interval()).isEqualTo(250);
    }

    private void scrapeFor(long millis, int running) {
        for (long left = millis; left > 0; left -= 50) {
            clock.advanceMillis(50);
            scrape(running, 0);
        }
    }

    private void scrape(int running, int waiting) {
        book.scraped(NUMBER, new Reading(running, waiting, 100, steps, false, false), false, clock.getAsLong());
    }

    private Freshness freshness() {
        return book.freshness(NUMBER, clock.getAsLong());
    }

    private long interval() {
        return book.intervalNanos(NUMBER, clock.getAsLong()) / 1_000_000;
    }

    private long ageMillis() {
        return book.aged(NUMBER, clock.getAsLong()).sample().ageMicros() / 1_000;
    }
}
