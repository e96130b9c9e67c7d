package dev.penstock.admission.ledger;

import dev.penstock.core.ledger.SlotCell;
import dev.penstock.kit.config.ModelConfig;
import dev.penstock.model.Replica;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * How many requests a replica may have in flight: what its own record says, else the least that its models say, else so many
 * that the engine's own batch is the limit. Engines do not tell their batch size ({@code max_num_seqs}) in their metrics; 1,024
 * is the largest default in use (vLLM V1 on large accelerators).
 */
final class SlotLimits {
    static final int AUTO = 1_024;

    private final Map<String, Integer> modelToLimit = new HashMap<>();

    SlotLimits(Collection<ModelConfig> models) {
        for (ModelConfig model : models) {
            Integer limit = model.maxInflightPerReplica();
            if (limit == null) continue;
            modelToLimit.put(model.name(), limit);
            for (String alias : model.aliases()) modelToLimit.put(alias, limit);
        }
    }

    int of(Replica replica) {
        Integer own = replica.maxInflight();
        if (own != null) return Math.clamp(own, 0, SlotCell.MOST);
        int least = Integer.MAX_VALUE;
        for (String model : replica.models()) least = Math.min(least, modelToLimit.getOrDefault(model, least));
        return least == Integer.MAX_VALUE ? AUTO : Math.min(least, SlotCell.MOST);
    }
}
