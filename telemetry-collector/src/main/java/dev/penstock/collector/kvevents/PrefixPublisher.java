package dev.penstock.collector.kvevents;

import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.model.Header;
import dev.penstock.model.PrefixRecord;
import dev.penstock.model.PrefixRecord.PrefixBlocks;
import dev.penstock.model.Topics;
import dev.penstock.wire.PrefixCodec;
import java.util.List;
import java.util.function.LongSupplier;

/** Sends what replicas hold, as one numbered stream per collector. Lives on one context. */
final class PrefixPublisher {
    private final KafkaBus bus;
    private final Incarnation self;
    private final LongSupplier nanoClock;
    private final int partition;
    private long sequence;

    PrefixPublisher(KafkaBus bus, Incarnation self, LongSupplier nanoClock) {
        this.bus = bus;
        this.self = self;
        this.nanoClock = nanoClock;
        this.partition = Integer.remainderUnsigned(self.name().hashCode(), Topics.PREFIX.partitions());
    }

    void publish(List<PrefixBlocks> blocks) {
        Header header = new Header(self.name(), self.nonce(), ++sequence, Header.NO_EPOCH, nanoClock.getAsLong());
        bus.send(Topics.PREFIX, partition, self.name(), PrefixCodec.encode(new PrefixRecord(header, blocks)));
    }
}
