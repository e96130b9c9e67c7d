package dev.penstock.kit.registry;

import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.model.Header;
import dev.penstock.model.Holder;
import dev.penstock.model.PoolId;
import dev.penstock.model.RegistryRecord;
import dev.penstock.model.Topics;
import dev.penstock.wire.RegistryCodec;
import io.vertx.core.Future;
import java.util.List;
import java.util.UUID;

/** Writes facts to {@code penstock.routers}; one per process. Whoever calls it has made sure that they are true. One thread. */
public final class RegistryWriter {
    private final KafkaBus bus;
    private final Incarnation self;
    private long sequence;

    public RegistryWriter(KafkaBus bus, Incarnation self) {
        this.bus = bus;
        this.self = self;
    }

    /** Its process is gone. */
    public Future<Void> died(Holder holder, String evidence) {
        return write(new RegistryRecord.Died(header(), holder, evidence));
    }

    /** @param numbers all that are settled so far in this pool, those of earlier owners too */
    public Future<Void> settled(Holder holder, PoolId pool, long epoch, List<Integer> numbers) {
        return write(new RegistryRecord.Settled(header(), holder, pool, epoch, numbers));
    }

    /**
     * Removes all that is known of one that left, or is settled everywhere. The registration goes first and a death before what was
     * settled of it, so that a crash on the way leaves nobody of whom it is known that he may hold slots and not that he does not;
     * and whoever had its lock before goes before it, or nothing proves that one dead any more.
     */
    public Future<Void> forget(RegisteredHolder known) {
        Future<Void> done = remove(known.holder().toString())
                .compose(gone -> remove(known.holder() + "/left"))
                .compose(gone -> remove(known.holder() + "/died"));
        for (PoolId pool : known.settled().keySet()) {
            done = done.compose(gone -> remove(RegistryRecord.Settled.key(known.holder(), pool)));
        }
        return done;
    }

    /** For a topic that was found empty. */
    Future<Void> genesis() {
        return genesis(UUID.randomUUID().toString());
    }

    Future<Void> genesis(String id) {
        return write(new RegistryRecord.Genesis(header(), id));
    }

    Future<Void> write(RegistryRecord record) {
        return bus.publish(Topics.ROUTERS, 0, record.key(), RegistryCodec.encode(record));
    }

    Header header() {
        return new Header(self.name(), self.nonce(), ++sequence, Header.NO_EPOCH, System.nanoTime());
    }

    Holder self() {
        return new Holder(self.name(), self.nonce());
    }

    private Future<Void> remove(String key) {
        return bus.publish(Topics.ROUTERS, 0, key, null);
    }
}
