package dev.penstock.router.prefix;

import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.model.Header;
import dev.penstock.model.PrefixRecord;
import dev.penstock.model.PrefixRecord.PrefixBlocks;
import dev.penstock.model.Topics;
import dev.penstock.wire.PrefixCodec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/** Tells the other routers what the event loops sent where, as one numbered stream per router. Lives on one context. */
public final class PrefixPublisher {
    private static final long[] NONE = {};

    private final KafkaBus bus;
    private final Incarnation self;
    private final PrefixCounters counters;
    private final LongSupplier nanoClock;
    private final int partition;
    private long sequence;

    public PrefixPublisher(KafkaBus bus, Incarnation self, PrefixCounters counters, LongSupplier nanoClock) {
        this.bus = bus;
        this.self = self;
        this.counters = counters;
        this.nanoClock = nanoClock;
        this.partition = Integer.remainderUnsigned(self.name().hashCode(), Topics.PREFIX.partitions());
    }

    public void publish(PrefixNews.Batch batch) {
        counters.dropped.increment(batch.untold());
        counters.told.increment(batch.hashes().length);
        if (batch.hashes().length == 0) return;
        Header header = new Header(self.name(), self.nonce(), ++sequence, Header.NO_EPOCH, nanoClock.getAsLong());
        PrefixRecord told = new PrefixRecord(header, byReplica(batch));
        bus.sendSoon(Topics.PREFIX, partition, self.name(), PrefixCodec.encode(told));
    }

    private static List<PrefixBlocks> byReplica(PrefixNews.Batch batch) {
        Map<Integer, Integer> numberToCount = new LinkedHashMap<>();
        for (int number : batch.numbers()) numberToCount.merge(number, 1, Integer::sum);
        Map<Integer, long[]> numberToHashes = new LinkedHashMap<>();
        numberToCount.forEach((number, count) -> numberToHashes.put(number, new long[count]));
        Map<Integer, Integer> numberToNext = new LinkedHashMap<>();
        for (int i = 0; i < batch.hashes().length; i++) {
            int number = batch.numbers()[i];
            int at = numberToNext.merge(number, 1, Integer::sum) - 1;
            long[] hashes = numberToHashes.get(number);
            if (hashes != null) hashes[at] = batch.hashes()[i];
        }
        List<PrefixBlocks> blocks = new ArrayList<>(numberToHashes.size());
        numberToHashes.forEach((number, hashes) -> blocks.add(new PrefixBlocks(number, hashes, NONE, false)));
        return blocks;
    }
}
