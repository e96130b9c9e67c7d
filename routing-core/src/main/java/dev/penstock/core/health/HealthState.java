package dev.penstock.core.health;

import dev.penstock.model.Verdict;
import java.util.Set;

/**
 * Where a replica stands, as the owner of the verdicts keeps it; {@link #verdict} is what routers are told.
 *
 * <pre>
 *   UNKNOWN -> HEALTHY -> SUSPECT -> EJECTED(hard | soft) -> HALF_OPEN -> RAMP -> HEALTHY
 * </pre>
 */
sealed interface HealthState {
    Verdict verdict(int ejections, long nowNanos);

    record Unknown() implements HealthState {
        @Override
        public Verdict verdict(int ejections, long nowNanos) {
            return Verdict.UNKNOWN;
        }
    }

    record Healthy(long sinceNanos) implements HealthState {
        @Override
        public Verdict verdict(int ejections, long nowNanos) {
            return Verdict.HEALTHY;
        }
    }

    record Suspect(String cause, long sinceNanos) implements HealthState {
        @Override
        public Verdict verdict(int ejections, long nowNanos) {
            return new Verdict.Suspect(cause);
        }
    }

    /**
     * Out of use until the stay is over and enough probes passed in a row.
     *
     * @param passesNeeded 2 where nothing worked, 20 where some requests failed
     */
    record Ejected(Verdict.Severity severity, String cause, long untilNanos, boolean passed, int passesNeeded)
            implements HealthState {
        @Override
        public Verdict verdict(int ejections, long nowNanos) {
            return new Verdict.Ejected(severity, cause, ejections, Math.max(0, untilNanos - nowNanos) / 1000);
        }

        Ejected needing(int passes) {
            return new Ejected(severity, cause, untilNanos, passed, passes);
        }

        /**
         * Two failures in a row say that nothing works, a pass that something does. A replica that failed after it had
         * passed needs the long row: it works by turns.
         */
        Ejected probed(ProbeRecord probes, ProbeResult result) {
            if (result.kind() == ProbeResult.Kind.PASSED) {
                return new Ejected(Verdict.Severity.SOFT, cause, untilNanos, true, passesNeeded);
            }
            if (!result.failed()) return this;
            boolean hard = probes.failuresInRow() >= HealthRules.HARD_FAILURES;
            int needed = passed ? HealthRules.SOFT_PASSES : hard ? HealthRules.HARD_PASSES : passesNeeded;
            return new Ejected(hard ? Verdict.Severity.HARD : severity, cause, untilNanos, passed, needed);
        }
    }

    /**
     * One request at a time, fleet-wide.
     *
     * @param holders routers that have or had the permit: only what they tell of it counts
     * @param newsNanos when one of them last told of a request
     */
    record HalfOpen(
            String cause,
            String permittedRouter,
            long permittedNanos,
            Set<String> holders,
            int successes,
            long newsNanos)
            implements HealthState {
        @Override
        public Verdict verdict(int ejections, long nowNanos) {
            return new Verdict.HalfOpen(cause, ejections, permittedRouter, successes);
        }

        HalfOpen succeeded(int more) {
            return new HalfOpen(cause, permittedRouter, permittedNanos, holders, successes + more, newsNanos);
        }

        HalfOpen heard(long nowNanos) {
            return new HalfOpen(cause, permittedRouter, nowNanos, holders, successes, nowNanos);
        }
    }

    record Ramp(long sinceNanos, long lengthNanos) implements HealthState {
        @Override
        public Verdict verdict(int ejections, long nowNanos) {
            return new Verdict.Ramp(Math.max(0, nowNanos - sinceNanos) / 1000, lengthNanos / 1000);
        }
    }
}
