package dev.penstock.core.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.testkit.Seeds;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

class SessionPinsTest {
    private static final long HOUR = 3_600_000_000_000L;
    private static final long MINUTE = HOUR / 60;
    private static final long START = -5 * HOUR;

    private final SessionPins pins = new SessionPins(1_000, HOUR);

    @Test
    void pin_is_found_until_nobody_looks_for_an_hour() {
        pins.pin(7, 3, START);

        assertThat(pins.owner(7, START + 59 * MINUTE)).isEqualTo(3);
        assertThat(pins.owner(7, START + 118 * MINUTE)).isEqualTo(3);
        assertThat(pins.owner(7, START + 179 * MINUTE)).isEqualTo(SessionPins.NOBODY);
    }

    @Test
    void unknown_and_dropped_keys_have_nobody() {
        pins.pin(7, 3, START);
        pins.drop(7);

        assertThat(pins.owner(7, START)).isEqualTo(SessionPins.NOBODY);
        assertThat(pins.owner(8, START)).isEqualTo(SessionPins.NOBODY);
        assertThat(pins.owner(SessionKey.NONE, START)).isEqualTo(SessionPins.NOBODY);
    }

    @Test
    void later_version_replaces_and_earlier_does_not() {
        pins.pin(7, 3, 5, START);

        assertThat(pins.pin(7, 4, 4, START)).isFalse();
        assertThat(pins.owner(7, START)).isEqualTo(3);
        assertThat(pins.pin(7, 4, 6, START)).isTrue();
        assertThat(pins.owner(7, START)).isEqualTo(4);
        assertThat(pins.version(7)).isEqualTo(6);
    }

    @Test
    void own_move_stays_until_the_fleet_has_decided_too() {
        pins.pin(7, 3, 5, START);
        pins.pin(7, 4, START);

        // the old owner's renewal, which crossed the move
        assertThat(pins.pin(7, 3, 5, START)).isFalse();
        assertThat(pins.owner(7, START)).isEqualTo(4);
        assertThat(pins.pin(7, 9, 6, START)).isTrue();
        assertThat(pins.owner(7, START)).isEqualTo(9);
    }

    @Test
    void expired_pin_takes_any_version() {
        pins.pin(7, 3, 5, START);

        assertThat(pins.pin(7, 4, 1, START + 2 * HOUR)).isTrue();
        assertThat(pins.owner(7, START + 2 * HOUR)).isEqualTo(4);
    }

    @Test
    void renewal_is_due_once_in_six_minutes() {
        pins.pin(7, 3, 1, START);

        assertThat(pins.renewalDue(7, START + 5 * MINUTE)).isFalse();
        assertThat(pins.renewalDue(7, START + 6 * MINUTE)).isTrue();
        assertThat(pins.renewalDue(7, START + 7 * MINUTE)).isFalse();
        pins.pin(7, 3, 1, START + 11 * MINUTE);
        assertThat(pins.renewalDue(7, START + 13 * MINUTE)).isFalse();
        pins.renewAll(START + 13 * MINUTE);
        assertThat(pins.renewalDue(7, START + 13 * MINUTE)).isTrue();
        assertThat(pins.renewalDue(8, START + 13 * MINUTE)).isFalse();
    }

    @Test
    void table_is_bounded_and_gives_up_what_was_not_looked_at_longest() {
        SplittableRandom random = new SplittableRandom(3);
        long[] old = random.longs(1_000).toArray();
        long[] fresh = random.longs(500).toArray();
        for (long key : old) pins.pin(key, 1, START);
        for (long key : fresh) pins.pin(key, 2, START + MINUTE);
        int count = pins.count(START + MINUTE);

        int kept = 0;
        for (long key : fresh) if (pins.owner(key, START + MINUTE) == 2) kept++;

        assertThat(count).isLessThanOrEqualTo(1_000).isGreaterThan(800);
        assertThat(kept).isGreaterThan(490);
    }

    @Test
    void half_full_table_keeps_nearly_all() throws Exception {
        Seeds.run(random -> {
            SessionPins wide = new SessionPins(200_000, HOUR);
            long[] keys = random.longs(100_000).toArray();
            for (long key : keys) wide.pin(key, (int) (key >>> 40), START);

            int kept = 0;
            for (long key : keys) if (wide.owner(key, START) == (int) (key >>> 40)) kept++;

            assertThat(kept).isGreaterThan(98_000);
        });
    }

    /** Few slots and many keys, so that each look races with replacements; a key's owner is always computed from the key. */
    @Test
    void no_reader_is_told_another_sessions_owner() throws Exception {
        SessionPins small = new SessionPins(16, HOUR);
        ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            SplittableRandom random = new SplittableRandom(t);
            threads[t] = Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 300_000; i++) {
                    long key = 1 + random.nextInt(64);
                    int expected = (int) key * 1_000;
                    long now = START + random.nextLong(HOUR / 2);
                    switch (random.nextInt(4)) {
                        case 0 -> small.pin(key, expected, now);
                        case 1 -> small.pin(key, expected, random.nextInt(9), now);
                        case 2 -> small.renewalDue(key, now);
                        default -> {
                            int owner = small.owner(key, now);
                            if (owner != SessionPins.NOBODY && owner != expected) wrong.add(key + " -> " + owner);
                        }
                    }
                }
            });
        }
        for (Thread thread : threads) thread.join();

        assertThat(wrong).isEmpty();
    }

    @Test
    void bounds_are_named() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SessionPins(0, HOUR))
                .withMessage("most is 1 to 2^27 pins, was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SessionPins(1, 5))
                .withMessageContaining("ttlNanos is 1024 ns to 365 days, was 5");
    }
}
