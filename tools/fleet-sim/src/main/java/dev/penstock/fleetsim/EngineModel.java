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

    /** @param cacheBlocks blocks of prompts that the KV cache keeps; 0 = it keeps none */
    record Batch(BatchProfile profile, int cacheBlocks) implements EngineModel {
        Batch(BatchProfile profile) {
            this(profile, 0);
        }

        @Override
        public Engine create(EventQueue events, ColdStart cold, Consumer<SimRequest> completed) {
            return new BatchEngine(events, profile, cacheBlocks, cold, completed);
        }
    }
}
