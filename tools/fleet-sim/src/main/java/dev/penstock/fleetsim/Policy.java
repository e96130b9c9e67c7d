package dev.penstock.fleetsim;

import dev.penstock.core.pick.Affinity;
import dev.penstock.core.pick.PickRule;
import dev.penstock.core.pick.Routing;
import dev.penstock.core.pick.RoutingPolicy;
import dev.penstock.core.view.ReplicaCell;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.core.view.RosterImage;
import dev.penstock.model.Freshness;
import dev.penstock.model.RoutingStrategy;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What is compared: the production policy, and what others do. */
enum Policy {
    /** The production decision over the production view. */
    PENSTOCK {
        @Override
        Picker picker(Picker.Knowledge knowledge) {
            return produced(PickRule.DEFAULT, knowledge);
        }
    },

    RANDOM {
        @Override
        Picker picker(Picker.Knowledge knowledge) {
            return (image, nowNanos) -> {
                ReplicaEntry[] pool = pool(image);
                return pool.length == 0 ? null : pool[knowledge.random().nextInt(pool.length)];
            };
        }
    },

    /** The lesser of two by what telemetry said last, uncorrected. */
    P2C_RAW {
        @Override
        Picker picker(Picker.Knowledge knowledge) {
            return (image, nowNanos) -> {
                ReplicaEntry[] pool = pool(image);
                if (pool.length < 2) return pool.length == 0 ? null : pool[0];
                int first = knowledge.random().nextInt(pool.length);
                int second = knowledge.random().nextInt(pool.length - 1);
                if (second >= first) second++;
                return sampled(pool[second]) < sampled(pool[first]) ? pool[second] : pool[first];
            };
        }
    },

    /** Least own in-flight: knows nothing of the other routers. */
    OWN_ONLY {
        @Override
        Picker picker(Picker.Knowledge knowledge) {
            return new Ranking(knowledge.random(), (entry, now) -> entry.cell().own());
        }
    },

    /** Least own in-flight and what peers published last. */
    ARGMIN {
        @Override
        Picker picker(Picker.Knowledge knowledge) {
            return new Ranking(knowledge.random(), (entry, now) -> raw(entry, knowledge));
        }
    },

    /** One of the eight least of the same, as far as they are near the least. */
    TOPK_RAW {
        @Override
        Picker picker(Picker.Knowledge knowledge) {
            return new Ranking(knowledge.random(), TOP_K, Policy::nearTie, (entry, now) -> raw(entry, knowledge));
        }
    },

    /**
     * AIBrix's slow start: a new replica counts as if it had as many requests as the least loaded of the others, less and
     * less so over 300 s; one of the five least within four requests of the least.
     */
    RAMP_300S {
        @Override
        Picker picker(Picker.Knowledge knowledge) {
            return new Ramp300(knowledge);
        }
    },

    /** One of the eight least by telemetry, where a replica without a fresh sample counts as idle, as in AIBrix. */
    MISSING_ZERO {
        @Override
        Picker picker(Picker.Knowledge knowledge) {
            return new Ranking(
                    knowledge.random(), TOP_K, Policy::nearTie, (entry, now) -> fresh(entry, now) ? sampled(entry) : 0);
        }
    },

    /**
     * The same, where a replica whose sample is older than 200 ms counts as full, as in llm-d: it gets nothing unless that
     * is true of all, when the samples count as they are.
     */
    MISSING_FULL {
        @Override
        Picker picker(Picker.Knowledge knowledge) {
            return new Ranking(
                    knowledge.random(),
                    TOP_K,
                    Policy::nearTie,
                    (entry, now) -> sampled(entry) + (ageNanos(entry, now) > OLD_NANOS ? FULL : 0));
        }
    },

    /** Each router turns from a place of its own. */
    ROUND_ROBIN {
        @Override
        Picker picker(Picker.Knowledge knowledge) {
            return new Picker() {
                private int turn = knowledge.random().nextInt(1 << 16);

                @Override
                public @Nullable ReplicaEntry pick(RosterImage image, long nowNanos) {
                    ReplicaEntry[] pool = pool(image);
                    return pool.length == 0 ? null : pool[Integer.remainderUnsigned(turn++, pool.length)];
                }
            };
        }
    },

    /** Production, but a router that starts reads nothing back. */
    COLD_RESTART {
        @Override
        Picker picker(Picker.Knowledge knowledge) {
            return produced(PickRule.DEFAULT, knowledge);
        }
    },

    /** The production view under strategy least-request, which looks at no prompt. */
    LEAST_REQUEST {
        @Override
        Picker picker(Picker.Knowledge knowledge) {
            return produced(PickRule.of(RoutingStrategy.parse("least-request")), knowledge);
        }
    },

    /** By the beginning of the prompt, 2,048 tokens, and nothing else: rendezvous. */
    HASH_ONLY {
        @Override
        Picker picker(Picker.Knowledge knowledge) {
            return new HashOnly(knowledge.random());
        }
    },

    /** Production's rule with the true loads and what each engine has in its cache, at no delay. */
    PREFIX_ORACLE {
        @Override
        Picker picker(Picker.Knowledge knowledge) {
            return new PrefixOracle(knowledge.replicas(), knowledge.random());
        }
    },

    /** Of sessions, by their key alone ({@link ConsistentHash}). */
    CONSISTENT_HASH {
        @Override
        Picker picker(Picker.Knowledge knowledge) {
            return new ConsistentHash();
        }
    },

    /** Observed throughput as capacity. */
    NAIVE_THROUGHPUT {
        @Override
        Picker picker(Picker.Knowledge knowledge) {
            return new NaiveThroughput(knowledge);
        }
    },

    /** The truly least loaded, at no delay: what cannot be beaten by balancing alone. */
    ORACLE {
        @Override
        Picker picker(Picker.Knowledge knowledge) {
            return new Ranking(knowledge.random(), (entry, now) -> knowledge
                    .replicas()
                    .engine(entry.replica().number())
                    .inflight());
        }
    };

    private static final ReplicaEntry[] NOBODY = {};
    private static final int TOP_K = 8;
    private static final long OLD_NANOS = 200_000_000L;
    private static final double FULL = 1e9;

    abstract Picker picker(Picker.Knowledge knowledge);

    /** Its name in reports. */
    String key() {
        // Both hash what they keep together, prompts the one and sessions the other, and are known by that.
        return (this == HASH_ONLY ? CONSISTENT_HASH : this).name().toLowerCase(Locale.ROOT);
    }

    /** What routers keep of their peers' vectors; more than the policy looks at would be most of a run's time. */
    Hearing hearing() {
        return switch (this) {
            case PENSTOCK, COLD_RESTART, LEAST_REQUEST -> Hearing.ESTIMATES;
            case ARGMIN, TOPK_RAW, RAMP_300S, NAIVE_THROUGHPUT -> Hearing.RAW;
            case HASH_ONLY,
                    CONSISTENT_HASH,
                    PREFIX_ORACLE,
                    RANDOM,
                    P2C_RAW,
                    OWN_ONLY,
                    MISSING_ZERO,
                    MISSING_FULL,
                    ROUND_ROBIN,
                    ORACLE -> Hearing.NOTHING;
        };
    }

    /** Whether its routers look at prompts. */
    boolean looksAtPrompts() {
        return this == PENSTOCK || this == COLD_RESTART;
    }

    /** The production decision over the production view, under a rule. */
    private static Picker produced(PickRule rule, Picker.Knowledge knowledge) {
        var policy = new RoutingPolicy();
        var routing = new Routing();
        var affinity = new Affinity();
        return new Picker() {
            @Override
            public @Nullable ReplicaEntry pick(RosterImage image, Ask ask, long nowNanos) {
                affinity.clear();
                affinity.prefix(ask.match(), PromptBlocks.bytesOf(ask.demand().promptTokens()));
                return pick(image, nowNanos);
            }

            @Override
            public @Nullable ReplicaEntry pick(RosterImage image, long nowNanos) {
                routing.clear();
                return pickAgain(image, nowNanos);
            }

            @Override
            public @Nullable ReplicaEntry pickAgain(RosterImage image, long nowNanos) {
                policy.route(image, Replicas.MODEL, rule, affinity, nowNanos, knowledge.random(), routing);
                return routing.replica();
            }
        };
    }

    enum Hearing {
        NOTHING,
        RAW,
        ESTIMATES
    }

    static ReplicaEntry[] pool(RosterImage image) {
        ReplicaEntry[] pool = image.serving(Replicas.MODEL);
        return pool == null ? NOBODY : pool;
    }

    /** Own in-flight and what peers published last. */
    static int raw(ReplicaEntry entry, Picker.Knowledge knowledge) {
        return entry.cell().own() + knowledge.peers().at(entry.replica().number());
    }

    /** A tenth of the least, at least one request. */
    private static double nearTie(double least) {
        return Math.max(1, 0.1 * least);
    }

    private static int sampled(ReplicaEntry entry) {
        ReplicaCell.Telemetry telemetry = entry.cell().telemetry();
        return telemetry.running() + telemetry.waiting();
    }

    private static boolean fresh(ReplicaEntry entry, long nowNanos) {
        return entry.cell().telemetry().freshness(nowNanos) == Freshness.FRESH;
    }

    private static long ageNanos(ReplicaEntry entry, long nowNanos) {
        ReplicaCell.Telemetry telemetry = entry.cell().telemetry();
        return telemetry.seen() ? nowNanos - telemetry.sampledAtNanos() : Long.MAX_VALUE;
    }
}
