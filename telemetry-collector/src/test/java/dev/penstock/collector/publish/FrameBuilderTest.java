package dev.penstock.collector.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.collector.scrape.Reading;
import dev.penstock.collector.scrape.SampleBook;
import dev.penstock.kit.bus.Incarnation;
import dev.penstock.model.Sample;
import dev.penstock.model.TelemetryFrame;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FrameBuilderTest {
    private static final int FIRST = 3;
    private static final int SECOND = 19;

    private final ManualClock clock = new ManualClock();
    private int capacityMilli;
    private final SampleBook book =
            new SampleBook(Duration.ofMillis(50), Duration.ofSeconds(1), number -> 0, number -> capacityMilli);
    private final FrameBuilder builder = new FrameBuilder(new Incarnation("c", 9), book, clock.getAsLong());
    private long steps;

    FrameBuilderTest() {
        book.add(FIRST, clock.getAsLong());
        book.add(SECOND, clock.getAsLong());
    }

    @Test
    void changes_then_bits_then_silence() {
        scrape(FIRST, 1);
        scrape(SECOND, 2);
        assertThat(only(frames()).samples()).extracting(Sample::running).containsExactly(1, 2);

        clock.advanceMillis(10);
        assertThat(frames()).isEmpty();

        scrape(SECOND, 0);
        frames();
        clock.advanceMillis(20);
        scrape(SECOND, 0);
        clock.advanceMillis(5);
        TelemetryFrame bits = only(frames());
        assertThat(bits.samples()).isEmpty();
        assertThat(bits.sampledUnchanged().stream()).containsExactly(1);
        assertThat(bits.unchangedAgeMicros()).isEqualTo(5_000);
        assertThat(bits.full()).isFalse();
    }

    @Test
    void once_a_second_everything_is_told_in_sequence() {
        List<TelemetryFrame> all = new ArrayList<>();
        for (int i = 0; i < 80; i++) {
            scrape(FIRST, i);
            clock.advanceMillis(50);
            all.addAll(frames());
        }

        assertThat(all)
                .extracting(frame -> frame.header().sequence())
                .containsExactlyElementsOf(
                        LongStream.range(0, all.size()).boxed().toList());
        assertThat(all).filteredOn(TelemetryFrame::full).hasSize(4);
        assertThat(all).allMatch(frame -> frame.shard() == 3);
    }

    @Test
    void a_capacity_that_changed_is_told_once() {
        scrape(FIRST, 1);
        frames();

        capacityMilli = 1_300;
        clock.advanceMillis(50);
        assertThat(only(frames()).samples()).extracting(Sample::capacityMilli).containsExactly(1_300);
        clock.advanceMillis(50);
        assertThat(frames()).isEmpty();
    }

    @Test
    void shards_take_turns_with_their_full_frames() {
        for (int number = 0; number < 16; number++) book.add(number, clock.getAsLong());
        for (int i = 0; i < 100; i++) {
            clock.advanceMillis(50);
            assertThat(frames().stream().filter(TelemetryFrame::full)).hasSizeLessThanOrEqualTo(2);
        }
    }

    @Test
    void the_gone_are_not_told() {
        scrape(FIRST, 1);
        frames();
        book.remove(FIRST);
        book.remove(SECOND);
        clock.advanceMillis(2_000);

        assertThat(frames()).isEmpty();
    }

    private void scrape(int number, int running) {
        book.scraped(
                number, new Reading(running, 0, 0, running == 0 ? 0 : ++steps, false, false), false, clock.getAsLong());
    }

    private List<TelemetryFrame> frames() {
        return builder.frames(clock.getAsLong());
    }

    private static TelemetryFrame only(List<TelemetryFrame> frames) {
        assertThat(frames).hasSize(1);
        return frames.getFirst();
    }
}
