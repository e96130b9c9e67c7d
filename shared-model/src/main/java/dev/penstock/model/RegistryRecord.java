package dev.penstock.model;

import java.util.List;
import java.util.Map;

/** One fact about the holders of slots: what {@code penstock.routers} holds. */
public sealed interface RegistryRecord {
    Header header();

    /** Of the record in its topic. Nothing else overwrites it. */
    String key();

    /** About one incarnation. */
    sealed interface OfHolder extends RegistryRecord {
        Holder holder();
    }

    /**
     * It may hold slots from here on.
     *
     * @param lockedNanos the boot's monotonic clock when the lock was taken. It orders those who had the same lock; the order of
     *     their records would not: what a dead process had sent may be stored after its successor's
     */
    record Registered(
            Header header, Holder holder, HolderKind kind, LockIdentity lock, long lockedNanos, String managementUrl)
            implements OfHolder {
        @Override
        public String key() {
            return holder.toString();
        }
    }

    /**
     * It holds nothing, and never will.
     *
     * @param followed the epoch it followed last, by pool
     */
    record Left(Header header, Holder holder, Map<PoolId, Long> followed) implements OfHolder {
        public Left {
            followed = Map.copyOf(followed);
        }

        @Override
        public String key() {
            return holder + "/left";
        }
    }

    /** Its process is gone, by another proof than a successor's lock. */
    record Died(Header header, Holder holder, String evidence) implements OfHolder {
        @Override
        public String key() {
            return holder + "/died";
        }
    }

    /**
     * A dead holder's slots of these replicas are home.
     *
     * @param epoch of the owner who found that out; only owners of higher ones take it
     * @param numbers all that are settled so far: the record replaces the one before
     */
    record Settled(Header header, Holder holder, PoolId pool, long epoch, List<Integer> numbers) implements OfHolder {
        public Settled {
            numbers = List.copyOf(numbers);
        }

        @Override
        public String key() {
            return key(holder, pool);
        }

        public static String key(Holder holder, PoolId pool) {
            return holder + "/settled/" + pool;
        }
    }

    /** The first record of the topic. Without it, or with another, what was registered may have been lost. */
    record Genesis(Header header, String id) implements RegistryRecord {
        public static final String KEY = "genesis";

        @Override
        public String key() {
            return KEY;
        }
    }
}
