package dev.penstock.router.relay;

import dev.penstock.core.retry.RetryBudget;
import dev.penstock.model.RelayPolicy;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * How one model's requests are relayed.
 *
 * @param budget of its retries; all event loops of this router share it, and it outlives changes of the policy
 */
public record ModelRelay(String model, RelayPolicy policy, RetryBudget budget) {

    /** The model that a request for this one's name goes to: of its split, by weight. No allocation. */
    public String target(RandomGenerator random) {
        List<RelayPolicy.Split> split = policy.split();
        if (split.isEmpty()) return model;
        int sum = 0;
        for (int i = 0; i < split.size(); i++) sum += split.get(i).weight();
        int left = random.nextInt(sum);
        int at = 0;
        while (left >= split.get(at).weight()) left -= split.get(at++).weight();
        return split.get(at).model();
    }

    ModelRelay with(RelayPolicy next) {
        if (next.equals(policy)) return this;
        budget.share(next.retryBudget());
        return new ModelRelay(model, next, budget);
    }
}
