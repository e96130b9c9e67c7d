package dev.penstock.fleetsim;

import dev.penstock.core.pick.PickRule;
import dev.penstock.core.pick.Routing;
import dev.penstock.core.pick.RoutingPolicy;
import dev.penstock.core.view.ReplicaCell;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.core.view.RosterImage;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What is compared: the production policy, and what others do. */
enum Policy {
    /** The production decision over the production view. */
    PENSTOCK {
        @Override
        Picker picker(List<Engine> engines, RandomGenerator random) {
            var policy = new RoutingPolicy();
            var routing = new Routing();
            return (image, nowNanos) -> {
                routing.clear();
                policy.route(image, Fleet.MODEL, PickRule.DEFAULT, nowNanos, random, routing);
                return routing.replica();
            };
        }
    },

    RANDOM {
        @Override
        Picker picker(List<Engine> engines, RandomGenerator random) {
            return (image, nowNanos) -> {
                ReplicaEntry[] pool = pool(image);
                return pool.length == 0 ? null : pool[random.nextInt(pool.length)];
            };
        }
    },

    /** The lesser of two by what telemetry said last, uncorrected. */
    P2C_RAW {
        @Override
        Picker picker(List<Engine> engines, RandomGenerator random) {
            return (image, nowNanos) -> {
                ReplicaEntry[] pool = pool(image);
                if (pool.length < 2) return pool.length == 0 ? null : pool[0];
                int first = random.nextInt(pool.length);
                int second = random.nextInt(pool.length - 1);
                if (second >= first) second++;
                return sampled(pool[second]) < sampled(pool[first]) ? pool[second] : pool[first];
            };
        }
    },

    /** Least own in-flight: knows nothing of the other routers. */
    OWN_ONLY {
        @Override
        Picker picker(List<Engine> engines, RandomGenerator random) {
            return (image, nowNanos) -> least(pool(image), entry -> entry.cell().own(), random);
        }
    },

    /** Each router turns from a place of its own. */
    ROUND_ROBIN {
        @Override
        Picker picker(List<Engine> engines, RandomGenerator random) {
            return new Picker() {
                private int turn = random.nextInt(1 << 16);

                @Override
                public @Nullable ReplicaEntry pick(RosterImage image, long nowNanos) {
                    ReplicaEntry[] pool = pool(image);
                    return pool.length == 0 ? null : pool[Integer.remainderUnsigned(turn++, pool.length)];
                }
            };
        }
    },

    /** The truly least loaded, at no delay: what cannot be beaten by balancing alone. */
    ORACLE {
        @Override
        Picker picker(List<Engine> engines, RandomGenerator random) {
            return (image, nowNanos) -> least(
                    pool(image), entry -> engines.get(entry.replica().number()).inflight(), random);
        }
    };

    private static final ReplicaEntry[] NOBODY = {};

    abstract Picker picker(List<Engine> engines, RandomGenerator random);

    /** Its name in reports. */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static ReplicaEntry[] pool(RosterImage image) {
        ReplicaEntry[] pool = image.serving(Fleet.MODEL);
        return pool == null ? NOBODY : pool;
    }

    private static int sampled(ReplicaEntry entry) {
        ReplicaCell.Telemetry telemetry = entry.cell().telemetry();
        return telemetry.running() + telemetry.waiting();
    }

    private static @Nullable ReplicaEntry least(
            ReplicaEntry[] pool, ToLongFunction<ReplicaEntry> load, RandomGenerator random) {
        ReplicaEntry best = null;
        long least = Long.MAX_VALUE;
        int ties = 0;
        for (ReplicaEntry entry : pool) {
            long each = load.applyAsLong(entry);
            if (each < least) {
                least = each;
                best = entry;
                ties = 1;
            } else if (each == least && random.nextInt(++ties) == 0) {
                best = entry;
            }
        }
        return best;
    }
}
