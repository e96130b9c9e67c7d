package dev.penstock.admission.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.model.Header;
import dev.penstock.model.Sample;
import dev.penstock.model.TelemetryFrame;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScrapeTimesTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    /** The scrape's limit and the least that a frame is allowed for its way. */
    private static final long BOUND = SECOND + 200 * MILLI;

    private final List<Long> begun = new ArrayList<>();
    private final List<Long> answered = new ArrayList<>();
    private final List<Long> restarts = new ArrayList<>();
    private final ScrapeTimes scrapes = new ScrapeTimes(new ScrapeTimes.Listener() {
        @Override
        public void scraped(int number, long begunNanos, long answeredNanos, int running, int waiting) {
            begun.add(begunNanos);
            answered.add(answeredNanos);
        }

        @Override
        public void restarted(int number, long afterNanos) {
            restarts.add(afterNanos);
        }
    });
    private long sequence;

    private void frame(long incarnation, long nanos, int flags) {
        Sample sample = new Sample(1, 0, 0, 0, 5, 0, 0, 50, flags);
        Header header = new Header("collector-0", incarnation, ++sequence, Header.NO_EPOCH, nanos);
        scrapes.frame(new TelemetryFrame(header, 1, true, new BitSet(), 0, List.of(sample)), nanos);
    }

    @Test
    void a_frame_counts_as_sent_when_the_topic_was_last_known_to_be_read_to_its_end() {
        frame(1, 10 * SECOND, 0);
        frame(1, 11 * SECOND, 0);
        assertThat(begun).as("nobody knows how far behind this reader is").isEmpty();
        scrapes.storedAfter(12 * SECOND);
        frame(1, 20 * SECOND, 0);
        assertThat(begun).containsExactly(12 * SECOND - BOUND);
        assertThat(answered).containsExactly(20 * SECOND);
        scrapes.storedAfter(30 * SECOND);
        frame(1, 25 * SECOND, 0);
        assertThat(begun).hasSize(2).last().isEqualTo(25 * SECOND - BOUND);
    }

    @Test
    void counters_that_began_anew_did_so_after_the_last_sample_that_does_not_say_so() {
        scrapes.storedAfter(9 * SECOND);
        frame(1, 10 * SECOND, 0);
        frame(1, 11 * SECOND, 0);
        frame(1, 12 * SECOND, Sample.RESTARTED);
        frame(1, 13 * SECOND, Sample.RESTARTED);
        assertThat(restarts).containsExactly(begun.get(0)).allMatch(since -> since <= 11 * SECOND - BOUND);
    }

    @Test
    void what_another_collector_read_before_proves_no_restart() {
        scrapes.storedAfter(9 * SECOND);
        frame(1, 10 * SECOND, 0);
        frame(1, 11 * SECOND, 0);
        frame(2, 12 * SECOND, Sample.RESTARTED);
        frame(2, 13 * SECOND, Sample.RESTARTED);
        assertThat(restarts).isEmpty();
    }
}
