package dev.penstock.fleetsim;

import java.util.function.Consumer;

/** The kinds of engine that the replicas of a scene are. */
sealed interface EngineModel {
    Engine create(EventQueue events, ColdStart cold, Consumer<SimRequest> completed);

    /** That of one replica, where they are unlike. */
    default EngineModel of(int number) {
        return this;
    }

    record Slots(int slots) implements EngineModel {
        public Slots {
            if (slots < 1) throw new IllegalArgumentException("engine: slots " + slots + " must be at least 1");
        }

        @Override
        public Engine create(EventQueue events, ColdStart cold, Consumer<SimRequest> completed) {
            return new SlotEngine(events, slots, cold, completed);
        }
    }

    record Batch(BatchProfile profile) implements EngineModel {
        @Override
        public Engine create(EventQueue events, ColdStart cold, Consumer<SimRequest> completed) {
            return new BatchEngine(events, profile, cold, completed);
        }
    }

    /**
     * Shares itself among its requests.
     *
     * @param perSecond work units at most: an output token each, a prompt token a part of one
     * @param half requests in flight at which it does half of that
     * @param stepNanos from when on it is {@code step} times as fast, or {@link #NEVER}
     */
    record Sharing(String hardwareClass, double perSecond, double half, long stepNanos, double step)
            implements EngineModel {
        static final long NEVER = Long.MAX_VALUE;

        /** Not what the learner takes it to be (0.1): nobody knows it exactly. */
        static final double UNITS_PER_PROMPT_TOKEN = 0.13;

        public Sharing {
            if (!(perSecond > 0) || !(half > 0) || !(step > 0)) {
                throw new IllegalArgumentException("engine: " + perSecond + " units/s, half of it at " + half
                        + " requests, and a step by " + step + " must be more than 0");
            }
        }

        /** Whose speed stays. */
        static Sharing of(String hardwareClass, double perSecond, double half) {
            return new Sharing(hardwareClass, perSecond, half, NEVER, 1);
        }

        Sharing stepping(long atNanos, double by) {
            return new Sharing(hardwareClass, perSecond, half, atNanos, by);
        }

        double perSecond(long nowNanos) {
            return nowNanos >= stepNanos ? perSecond * step : perSecond;
        }

        @Override
        public Engine create(EventQueue events, ColdStart cold, Consumer<SimRequest> completed) {
            return new SharingEngine(events, this, completed);
        }
    }

    /**
     * Slow replicas at even numbers and fast ones at odd ones.
     *
     * @param stepping how many of each make a step, the lowest numbers: slow ones become twice as fast, fast ones half
     */
    record TwoSpeeds(Sharing slow, Sharing fast, int stepping, long stepNanos) implements EngineModel {
        @Override
        public Sharing of(int number) {
            Sharing kind = number % 2 == 0 ? slow : fast;
            return number >= 2 * stepping ? kind : kind.stepping(stepNanos, number % 2 == 0 ? 2 : 0.5);
        }

        @Override
        public Engine create(EventQueue events, ColdStart cold, Consumer<SimRequest> completed) {
            throw new IllegalStateException("engine: two speeds are two kinds, expected one replica's");
        }
    }
}
