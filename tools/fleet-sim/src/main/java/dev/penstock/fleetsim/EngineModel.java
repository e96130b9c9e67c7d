package dev.penstock.fleetsim;

import java.util.function.Consumer;

/** The kind of engine that all replicas of a scene are. */
sealed interface EngineModel {
    Engine create(EventQueue events, ColdStart cold, Consumer<SimRequest> completed);

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
}
