package dev.penstock.kit.registry;

import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.bus.Subscription;
import dev.penstock.kit.log.LogKeys;
import dev.penstock.model.Holder;
import dev.penstock.model.RegistryRecord;
import dev.penstock.model.TopicSpec;
import dev.penstock.model.Topics;
import dev.penstock.wire.ClaimCodec;
import dev.penstock.wire.MalformedRecordException;
import dev.penstock.wire.RegistryCodec;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads {@code penstock.routers} and {@code penstock.claims} for as long as it is open. Everything happens on the context that
 * started it.
 */
public final class Registry {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
    private static final String RECORD = "registry record";

    private final HolderFacts holders = new HolderFacts();
    private final StandingClaims claims = new StandingClaims();
    private final GenesisWatch genesis = new GenesisWatch();
    private final List<RegistryListener> listeners = new ArrayList<>();
    private final Subscription subscription;

    private Registry(KafkaBus bus, Runnable caughtUp) {
        subscription = bus.subscribeWithOffsets(List.of(Topics.ROUTERS, Topics.CLAIMS), this::record, caughtUp);
    }

    public static Registry start(KafkaBus bus) {
        return start(bus, () -> {});
    }

    /** @param caughtUp runs once, when what there was at the start was read */
    public static Registry start(KafkaBus bus, Runnable caughtUp) {
        return new Registry(bus, caughtUp);
    }

    /** Tells it all that is known, then what is read. */
    public void listen(RegistryListener listener) {
        holders.all().forEach(listener::holder);
        claims.all().forEach(listener::claim);
        listener.genesis(genesis.state());
        listeners.add(listener);
    }

    public void ignore(RegistryListener listener) {
        listeners.remove(listener);
    }

    /** Done when all that both topics held at the call was read and listeners were told; fails within 3 s. */
    public Future<Void> readToEnd() {
        return subscription.readToEnd();
    }

    /** Null while nobody owns the role. */
    public @Nullable StandingClaim highestClaim(String role) {
        StandingClaim standing = claims.of(role);
        return standing == null || standing.released() ? null : standing;
    }

    /** No owner of a lower epoch can come any more; -1 when the role was never claimed. */
    public long floorEpoch(String role) {
        return claims.floorEpoch(role);
    }

    /** By role, for those that were ever claimed. */
    public Map<String, Long> floorEpochs() {
        return claims.floorEpochs();
    }

    public Collection<RegisteredHolder> holders() {
        return holders.all();
    }

    public @Nullable RegisteredHolder holder(Holder holder) {
        return holders.of(holder);
    }

    public GenesisState genesis() {
        return genesis.state();
    }

    public Future<Void> close() {
        listeners.clear();
        return subscription.close();
    }

    /** The genesis that counts, when a later writer wrote another one after it; whoever registers puts it back. */
    @Nullable
    String overwrittenGenesis() {
        return genesis.overwritten();
    }

    private void record(TopicSpec topic, String key, byte @Nullable [] value, long offset, long receiveNanos) {
        GenesisState before = genesis.state();
        genesis.offset(topic.name(), offset);
        try {
            if (topic.equals(Topics.CLAIMS)) claim(value, offset);
            else fact(key, value);
        } catch (MalformedRecordException e) {
            LOG.atWarn()
                    .addKeyValue(LogKeys.TOPIC, topic.name())
                    .addKeyValue("key", key)
                    .addKeyValue(LogKeys.ERROR, e.getMessage())
                    .log("record skipped");
        }
        GenesisState now = genesis.state();
        if (!now.equals(before)) tell(listener -> listener.genesis(now));
    }

    private void claim(byte @Nullable [] value, long offset) throws MalformedRecordException {
        if (value == null) return;
        StandingClaim standing = claims.record(ClaimCodec.decode(value), offset);
        if (standing != null) tell(listener -> listener.claim(standing));
    }

    private void fact(String key, byte @Nullable [] value) throws MalformedRecordException {
        if (key.equals(RegistryRecord.Genesis.KEY)) {
            genesis.record(value == null ? null : genesis(value));
            return;
        }
        HolderFacts.Change change = value == null ? holders.removed(key) : holders.record(ofHolder(key, value));
        change.changed().forEach(now -> tell(listener -> listener.holder(now)));
        change.forgotten().forEach(gone -> tell(listener -> listener.forgotten(gone)));
    }

    private static String genesis(byte[] value) throws MalformedRecordException {
        if (RegistryCodec.decode(value) instanceof RegistryRecord.Genesis read) return read.id();
        throw new MalformedRecordException(RECORD, "another fact, expected genesis");
    }

    /** A record under another's key would be compacted away with it. */
    private static RegistryRecord.OfHolder ofHolder(String key, byte[] value) throws MalformedRecordException {
        RegistryRecord record = RegistryCodec.decode(value);
        if (record instanceof RegistryRecord.OfHolder of && record.key().equals(key)) return of;
        throw new MalformedRecordException(RECORD, "its key is '" + key + "', expected '" + record.key() + "'");
    }

    private void tell(Consumer<RegistryListener> what) {
        List.copyOf(listeners).forEach(what);
    }
}
