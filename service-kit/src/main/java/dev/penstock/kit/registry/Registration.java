package dev.penstock.kit.registry;

import dev.penstock.model.Header;
import dev.penstock.model.Holder;
import dev.penstock.model.HolderKind;
import dev.penstock.model.PoolId;
import dev.penstock.model.RegistryRecord;
import io.vertx.core.Future;
import java.util.Map;

/**
 * This process as a holder of slots. Registered first, and only then are claims read: an owner that claims later finds the
 * registration, and one that claimed before is found here.
 */
public final class Registration {
    private final RegistryWriter writer;
    private final Holder self;
    private final Map<String, Long> floorEpochs;

    private Registration(RegistryWriter writer, Holder self, Map<String, Long> floorEpochs) {
        this.writer = writer;
        this.self = self;
        this.floorEpochs = floorEpochs;
    }

    /**
     * Writes the registration, reads it back, then reads the claims to their end. A failure leaves it open whether it was stored:
     * the caller tries again with the same incarnation, and may not hold slots until it succeeds. On the registry's context.
     *
     * @param lock of this process, taken before
     */
    public static Future<Registration> register(
            Registry registry, RegistryWriter writer, HolderKind kind, HolderLock lock, String managementUrl) {
        Holder self = writer.self();
        return registry.readToEnd()
                .compose(read -> beginTopic(registry, writer))
                .compose(begun -> writer.write(new RegistryRecord.Registered(
                        writer.header(), self, kind, lock.identity(), lock.lockedNanos(), managementUrl)))
                .compose(stored -> registry.readToEnd())
                .compose(read -> checkReadBack(registry, self))
                .compose(checked -> registry.readToEnd())
                .map(read -> new Registration(writer, self, registry.floorEpochs()));
    }

    public Holder holder() {
        return self;
    }

    /** Only owners of this epoch or a higher one may grant to this holder; -1 for a role that nobody had claimed. */
    public long floorEpoch(String role) {
        return floorEpochs.getOrDefault(role, Header.NO_EPOCH);
    }

    /**
     * Says that it holds nothing, and never will: only after it has stopped reading all its streams and gave everything back.
     *
     * @param followed the epoch it followed last, by pool
     */
    public Future<Void> leave(Map<PoolId, Long> followed) {
        return writer.write(new RegistryRecord.Left(writer.header(), self, followed));
    }

    private static Future<Void> beginTopic(Registry registry, RegistryWriter writer) {
        String overwritten = registry.overwrittenGenesis();
        if (overwritten != null) return writer.genesis(overwritten);
        boolean empty = registry.genesis() instanceof GenesisState.Missing
                && registry.holders().isEmpty();
        return empty ? writer.genesis() : Future.succeededFuture();
    }

    private static Future<Void> checkReadBack(Registry registry, Holder self) {
        RegisteredHolder known = registry.holder(self);
        if (known == null || known.registration() == null) {
            return Future.failedFuture("the registration of " + self + " was stored and cannot be read back");
        }
        if (known.dead()) return Future.failedFuture(self + " is known to be dead: " + known.death());
        return Future.succeededFuture();
    }
}
