package dev.penstock.model;

/**
 * What health-svc says of a replica.
 *
 * <pre>
 *   UNKNOWN -> HEALTHY -> SUSPECT -> EJECTED(hard | soft) -> HALF_OPEN -> RAMP -> HEALTHY
 * </pre>
 */
public sealed interface Verdict {
    Verdict UNKNOWN = new Unknown();
    Verdict HEALTHY = new Healthy();

    /** False when health rules exclude the replica from ordinary traffic. */
    boolean routable();

    /** Nothing is known yet, or a newer writer's verdict this reader does not know. */
    record Unknown() implements Verdict {
        @Override
        public boolean routable() {
            return true;
        }
    }

    record Healthy() implements Verdict {
        @Override
        public boolean routable() {
            return true;
        }
    }

    /** Under suspicion: probed often, still used. */
    record Suspect(String cause) implements Verdict {
        @Override
        public boolean routable() {
            return true;
        }
    }

    /**
     * Out of use.
     *
     * @param ejections in a row: the exponent of the term
     * @param remainingMicros time left at sending before the way back begins
     */
    record Ejected(Severity severity, String cause, int ejections, long remainingMicros) implements Verdict {
        @Override
        public boolean routable() {
            return false;
        }
    }

    /**
     * On its way back: one request at a time, fleet-wide.
     *
     * @param permittedRouter the router that may send it, or empty while nobody may
     * @param successes so far
     */
    record HalfOpen(String cause, int ejections, String permittedRouter, int successes) implements Verdict {
        @Override
        public boolean routable() {
            return false;
        }
    }

    /** Back, with a share that grows over the length. */
    record Ramp(long elapsedMicros, long lengthMicros) implements Verdict {
        @Override
        public boolean routable() {
            return true;
        }
    }

    /** How bad it is. */
    enum Severity {
        /** Some requests fail. */
        SOFT,
        /** Nothing works. */
        HARD
    }
}
