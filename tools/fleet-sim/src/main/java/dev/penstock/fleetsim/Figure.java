package dev.penstock.fleetsim;

import java.util.Locale;

/** What scenarios measure. */
enum Figure {
    /** Most in-flight requests of a replica over the mean of all, at an instant; mean over instants 100 ms apart. */
    MAX_OVER_MEAN_INFLIGHT {
        @Override
        double of(Runs runs, Scene scene, Policy policy) {
            return runs.of(scene, policy).maxOverMean();
        }
    },
    /** Share of requests that found no free slot at their replica, per cent. */
    WAITED_PCT {
        @Override
        double of(Runs runs, Scene scene, Policy policy) {
            return runs.of(scene, policy).waitedPct();
        }
    },
    /** From a router's death until no other router counts its requests. */
    DEAD_COUNT_SECONDS {
        @Override
        double of(Runs runs, Scene scene, Policy policy) {
            return runs.of(scene, policy).deadCountSeconds;
        }
    },
    /** Most requests queued at a new replica at any time. */
    PEAK_QUEUE_NEW {
        @Override
        double of(Runs runs, Scene scene, Policy policy) {
            return runs.of(scene, policy).peakQueueNew();
        }
    },
    /** {@link Newcomers}: until the slowest of the new replicas has 80 % of what the established ones have. */
    SECONDS_TO_80PCT_SHARE {
        @Override
        double of(Runs runs, Scene scene, Policy policy) {
            return runs.of(scene, policy).secondsToShare();
        }
    },
    /** {@link Newcomers}: what the established replicas have in flight at most over what they had before. */
    ESTABLISHED_GROWTH_PCT {
        @Override
        double of(Runs runs, Scene scene, Policy policy) {
            return runs.of(scene, policy).establishedGrowthPct();
        }
    },
    /** Requests sent to replicas with a telemetry fault over their fair share; 1 is fair. */
    FROZEN_SHARE {
        @Override
        double of(Runs runs, Scene scene, Policy policy) {
            return runs.of(scene, policy).affectedOverFair();
        }
    },
    /** Requests that start within a second: how many less than in the same run without the fault, per cent. */
    GOODPUT_LOSS_PCT {
        @Override
        double of(Runs runs, Scene scene, Policy policy) {
            double without = runs.of(scene.calm(), policy).goodShare();
            return without == 0 ? 0 : 100 * (1 - runs.of(scene, policy).goodShare() / without);
        }
    },
    /** {@link SpeedsWatch}: how far off what is learned of the median replica is, per cent. */
    CAPACITY_ERROR_MEDIAN_PCT {
        @Override
        double of(Runs runs, Scene scene, Policy policy) {
            return runs.of(scene, policy).capacityErrorPct;
        }
    },
    /** {@link SpeedsWatch}: mean utilisation of the fast half against that of the slow half. */
    UTILISATION_GAP_POINTS {
        @Override
        double of(Runs runs, Scene scene, Policy policy) {
            return runs.of(scene, policy).utilisationGapPoints;
        }
    },
    /** {@link SpeedsWatch}: replicas that got less than a twentieth of their share in the second half of measuring. */
    STARVED_REPLICAS {
        @Override
        double of(Runs runs, Scene scene, Policy policy) {
            return runs.of(scene, policy).starvedReplicas;
        }
    },
    /** {@link SpeedsWatch}: until the last replica that has become twice or half as fast is known to a tenth. */
    CONVERGE_SECONDS {
        @Override
        double of(Runs runs, Scene scene, Policy policy) {
            return runs.of(scene, policy).convergeSeconds;
        }
    },
    /** 99th percentile of the time to the first token over the oracle's. */
    TTFT_P99_RATIO_TO_ORACLE {
        @Override
        double of(Runs runs, Scene scene, Policy policy) {
            return runs.of(scene, policy).ttft.seconds(0.99)
                    / runs.of(scene, Policy.ORACLE).ttft.seconds(0.99);
        }
    },
    /** Tokens of prompts that engines had in their caches, over the same of {@link Policy#PREFIX_ORACLE}. */
    HIT_RATIO_OF_ORACLE {
        @Override
        double of(Runs runs, Scene scene, Policy policy) {
            return runs.of(scene, policy).hitRatio()
                    / runs.of(scene, Policy.PREFIX_ORACLE).hitRatio();
        }

        @Override
        boolean moreIsBetter() {
            return true;
        }
    },
    /** {@link PrefixWatch}: from a restarted router's first request until it knows nine tenths of what the others know. */
    RESTART_DIP_SECONDS {
        @Override
        double of(Runs runs, Scene scene, Policy policy) {
            return runs.of(scene, policy).restartDipSeconds;
        }
    },
    /** How much less the median time to the first token is than least request's; more is better. */
    TTFT_P50_GAIN_OVER_LEAST_REQUEST_PCT {
        @Override
        double of(Runs runs, Scene scene, Policy policy) {
            double least = runs.of(scene, Policy.LEAST_REQUEST).ttft.seconds(0.5);
            return 100 * (1 - runs.of(scene, policy).ttft.seconds(0.5) / least);
        }

        @Override
        boolean moreIsBetter() {
            return true;
        }
    },
    /** Turns of a session at another replica than the one before, although that was there, routable and not too busy. */
    MOVED_NEEDLESSLY_PCT {
        @Override
        double of(Runs runs, Scene scene, Policy policy) {
            return runs.of(scene, policy).sessions.needlessPct();
        }
    },
    /** Turns of a session that left a replica which was too busy. */
    MOVED_FOR_LOAD_PCT {
        @Override
        double of(Runs runs, Scene scene, Policy policy) {
            return runs.of(scene, policy).sessions.forLoadPct();
        }
    },
    /** Most moves of a session for one loss of its replica. */
    MOVES_PER_LOST_OWNER_MAX {
        @Override
        double of(Runs runs, Scene scene, Policy policy) {
            return runs.of(scene, policy).sessions.mostMovesPerLoss();
        }
    },
    /** How much less the 99th percentile of latency is than round robin's; more is better. */
    P99_GAIN_OVER_ROUND_ROBIN_PCT {
        @Override
        double of(Runs runs, Scene scene, Policy policy) {
            double robin = runs.of(scene, Policy.ROUND_ROBIN).latency.seconds(0.99);
            return 100 * (1 - runs.of(scene, policy).latency.seconds(0.99) / robin);
        }

        @Override
        boolean moreIsBetter() {
            return true;
        }
    };

    /** NaN when the scene does not ask. */
    abstract double of(Runs runs, Scene scene, Policy policy);

    boolean moreIsBetter() {
        return false;
    }

    /** The worse of two; what a scene does not ask counts for nothing. */
    double worse(double one, double other) {
        if (Double.isNaN(one) || Double.isNaN(other)) return Double.isNaN(one) ? other : one;
        return moreIsBetter() ? Math.min(one, other) : Math.max(one, other);
    }

    /** Between value and limit. */
    String op() {
        return moreIsBetter() ? ">=" : "<=";
    }

    boolean holds(double value, double limit) {
        return moreIsBetter() ? value >= limit : value <= limit;
    }

    String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
