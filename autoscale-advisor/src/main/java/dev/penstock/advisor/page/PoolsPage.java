package dev.penstock.advisor.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.penstock.advisor.advice.Adviser;
import dev.penstock.advisor.advice.Recommendations;
import dev.penstock.advisor.advice.TargetBoard;
import dev.penstock.core.scale.Plan;
import dev.penstock.core.scale.ServingRule;
import dev.penstock.model.Header;
import dev.penstock.model.PoolId;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code /debug/pools}: what this instance serves, who published it, and what this instance itself would say. Written on the
 * advisor's context each second; any thread may read the last one.
 */
public final class PoolsPage {
    private final Recommendations recommendations;
    private final TargetBoard board;
    private final Adviser adviser;
    private final LongSupplier nanoClock;
    private volatile JsonNode page = JsonNodeFactory.instance.objectNode();

    public PoolsPage(Recommendations recommendations, TargetBoard board, Adviser adviser, LongSupplier nanoClock) {
        this.recommendations = recommendations;
        this.board = board;
        this.adviser = adviser;
        this.nanoClock = nanoClock;
    }

    public JsonNode page() {
        return page;
    }

    /** @param epoch of this instance's claim, or {@link Header#NO_EPOCH} */
    public void refresh(long epoch) {
        ObjectNode next = JsonNodeFactory.instance.objectNode();
        next.put("owner", epoch != Header.NO_EPOCH);
        if (epoch == Header.NO_EPOCH) next.putNull("epoch");
        else next.put("epoch", epoch);
        next.put("inputsStale", adviser.inputsStale());
        ArrayNode pools = next.putArray("pools");
        for (PoolId pool : recommendations.pools()) {
            ObjectNode node = pools.addObject();
            node.put("pool", pool.toString());
            node.put("replicas", recommendations.present(pool));
            node.set("served", served(recommendations.answer(pool)));
            node.set("published", published(board.posted(pool)));
            node.set("plan", plan(adviser.plan(pool)));
        }
        page = next;
    }

    private static ObjectNode served(ServingRule.Answer answer) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        switch (answer) {
            case ServingRule.Unavailable unavailable -> node.put("unavailable", unavailable.reason());
            case ServingRule.Number number -> {
                node.put("desired", number.desired());
                node.put("active", number.active());
                node.put("stale", number.stale());
                node.put("holdReason", number.holdReason());
            }
        }
        return node;
    }

    private @Nullable ObjectNode published(TargetBoard.@Nullable Posted posted) {
        if (posted == null) return null;
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("desired", posted.target().desired());
        node.put("by", posted.target().header().producer());
        node.put("epoch", posted.target().header().epoch());
        if (posted.history()) node.putNull("ageMs");
        else node.put("ageMs", (nanoClock.getAsLong() - posted.sentNanos()) / 1_000_000);
        node.put("holdReason", posted.target().holdReason());
        return node;
    }

    private static @Nullable ObjectNode plan(@Nullable Plan plan) {
        if (plan == null) return null;
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("desired", plan.desired());
        node.put("active", plan.active());
        node.put("holdReason", plan.holdReason());
        ObjectNode components = node.putObject("components");
        new TreeMap<>(plan.components()).forEach(components::put);
        return node;
    }
}
