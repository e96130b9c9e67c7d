package dev.penstock.router.account;

import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.model.DemandRecord;
import dev.penstock.model.Header;
import dev.penstock.model.Topics;
import dev.penstock.wire.DemandCodec;
import java.util.function.LongSupplier;

/** Tells what clients ask for, each second, also when that is nothing: silence means a dead router. Lives on one context. */
public final class DemandPublisher {
    private final KafkaBus bus;
    private final DemandLedger ledger;
    private final Incarnation self;
    private final LongSupplier nanoClock;
    private long sequence;

    public DemandPublisher(KafkaBus bus, DemandLedger ledger, Incarnation self, LongSupplier nanoClock) {
        this.bus = bus;
        this.ledger = ledger;
        this.self = self;
        this.nanoClock = nanoClock;
    }

    public void publish() {
        Header header = new Header(self.name(), self.nonce(), ++sequence, Header.NO_EPOCH, nanoClock.getAsLong());
        bus.sendSoon(Topics.DEMAND, 0, self.name(), DemandCodec.encode(new DemandRecord(header, ledger.all())));
    }
}
