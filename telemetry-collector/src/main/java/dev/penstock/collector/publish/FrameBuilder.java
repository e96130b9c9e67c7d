package dev.penstock.collector.publish;

import dev.penstock.collector.scrape.SampleBook;
import dev.penstock.kit.bus.Incarnation;
import dev.penstock.model.Header;
import dev.penstock.model.Sample;
import dev.penstock.model.Shards;
import dev.penstock.model.TelemetryFrame;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What there is to say of each shard: changed samples and unchanged bits in between, everything each second, the shards one
 * after another. A replica that was not proven again says nothing, so its age grows at the reader too. One thread.
 */
public final class FrameBuilder {
    private static final long FULL_NANOS = Duration.ofSeconds(1).toNanos();

    private final Incarnation self;
    private final SampleBook book;
    private final Shard[] shards = new Shard[Shards.COUNT];

    private static final class Shard {
        final Map<Integer, SampleBook.Aged> numberToSent = new HashMap<>();
        long sequence;
        long fullDueNanos;
    }

    public FrameBuilder(Incarnation self, SampleBook book, long startNanos) {
        this.self = self;
        this.book = book;
        for (int i = 0; i < shards.length; i++) {
            shards[i] = new Shard();
            shards[i].fullDueNanos = startNanos + i * (FULL_NANOS / Shards.COUNT);
        }
    }

    /** Called each 50 ms. */
    public List<TelemetryFrame> frames(long nowNanos) {
        List<List<Integer>> shardToNumbers = new ArrayList<>();
        for (int i = 0; i < shards.length; i++) shardToNumbers.add(new ArrayList<>());
        for (int number : book.numbers()) shardToNumbers.get(Shards.of(number)).add(number);
        List<TelemetryFrame> frames = new ArrayList<>();
        for (int i = 0; i < shards.length; i++) {
            List<Integer> numbers = shardToNumbers.get(i);
            shards[i].numberToSent.keySet().retainAll(numbers);
            if (numbers.isEmpty()) continue;
            if (nowNanos - shards[i].fullDueNanos >= 0) frames.add(full(i, numbers, nowNanos));
            else delta(i, numbers, nowNanos, frames);
        }
        return frames;
    }

    private TelemetryFrame full(int index, List<Integer> numbers, long nowNanos) {
        Shard shard = shards[index];
        long late = nowNanos - shard.fullDueNanos;
        shard.fullDueNanos = late > FULL_NANOS ? nowNanos + FULL_NANOS : shard.fullDueNanos + FULL_NANOS;
        List<Sample> samples = new ArrayList<>(numbers.size());
        for (int number : numbers) {
            SampleBook.Aged aged = book.aged(number, nowNanos);
            if (aged == null) continue;
            samples.add(aged.sample());
            shard.numberToSent.put(number, aged);
        }
        return frame(index, true, new BitSet(), 0, samples, nowNanos);
    }

    private void delta(int index, List<Integer> numbers, long nowNanos, List<TelemetryFrame> frames) {
        Shard shard = shards[index];
        List<Sample> samples = new ArrayList<>();
        BitSet unchanged = new BitSet();
        long unchangedAgeMicros = 0;
        for (int number : numbers) {
            SampleBook.Aged aged = book.aged(number, nowNanos);
            if (aged == null) continue;
            SampleBook.Aged sent = shard.numberToSent.get(number);
            if (sent != null
                    && sent.sinceNanos() == aged.sinceNanos()
                    && sent.sample().sameReading(aged.sample())) {
                continue;
            }
            if (sent != null
                    && aged.sinceNanos() - sent.sinceNanos() > 0
                    && sent.sample().sameReading(aged.sample())) {
                unchanged.set(Shards.position(number));
                unchangedAgeMicros = Math.max(unchangedAgeMicros, aged.sample().ageMicros());
            } else {
                samples.add(aged.sample());
            }
            shard.numberToSent.put(number, aged);
        }
        if (samples.isEmpty() && unchanged.isEmpty()) return;
        frames.add(frame(index, false, unchanged, unchangedAgeMicros, samples, nowNanos));
    }

    private TelemetryFrame frame(
            int index, boolean full, BitSet unchanged, long ageMicros, List<Sample> samples, long nowNanos) {
        Header header = new Header(self.name(), self.nonce(), shards[index].sequence++, Header.NO_EPOCH, nowNanos);
        return new TelemetryFrame(header, index, full, unchanged, ageMicros, samples);
    }
}
