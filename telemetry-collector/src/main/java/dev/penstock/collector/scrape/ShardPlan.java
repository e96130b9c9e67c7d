package dev.penstock.collector.scrape;

import dev.penstock.kit.claims.Rendezvous;
import dev.penstock.model.Replica;
import java.util.List;
import java.util.function.Consumer;

/**
 * Which replicas this collector scrapes: those of the shards it is rendezvous-first for among the live collectors. Overlap
 * is harmless, a gap is not: while nobody is known to live, it scrapes everything. Used on one context.
 */
public final class ShardPlan {
    private final String self;
    private final Consumer<List<Replica>> scrapes;
    private List<Replica> roster = List.of();
    private List<String> live = List.of();

    /** @param scrapes told what to scrape, on each change */
    public ShardPlan(String self, Consumer<List<Replica>> scrapes) {
        this.self = self;
        this.scrapes = scrapes;
    }

    public void roster(List<Replica> next) {
        roster = next;
        apply();
    }

    /** Called a few times a second. */
    public void members(List<String> next) {
        if (next.equals(live)) return;
        live = next;
        apply();
    }

    private void apply() {
        scrapes.accept(roster.stream().filter(replica -> mine(replica.shard())).toList());
    }

    boolean mine(int shard) {
        return !live.contains(self) || self.equals(Rendezvous.first(live, "shard-" + shard));
    }
}
