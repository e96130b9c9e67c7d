package dev.penstock.collector.scrape;

import dev.penstock.kit.claims.Rendezvous;
import dev.penstock.model.Replica;
import java.util.List;
import java.util.function.Consumer;

/**
 * Which replicas this collector scrapes: those of the shards it is rendezvous-first for among the live collectors. Overlap
 * is harmless, a gap is not: while it is not itself known to live, it scrapes everything. What has to be one collector's alone
 * it takes over only by a list of members that it is in. Used on one context.
 */
public final class ShardPlan {
    private final String self;
    private final Consumer<List<Replica>> scrapes;
    private final Consumer<List<Replica>> owned;
    private List<Replica> roster = List.of();
    private List<String> live = List.of();
    private List<String> liveWithSelf = List.of();

    /**
     * @param scrapes told what to scrape, on each change
     * @param owned told what is this collector's alone, on each change
     */
    public ShardPlan(String self, Consumer<List<Replica>> scrapes, Consumer<List<Replica>> owned) {
        this.self = self;
        this.scrapes = scrapes;
        this.owned = owned;
    }

    public void roster(List<Replica> next) {
        roster = next;
        apply();
    }

    /** Called a few times a second. */
    public void members(List<String> next) {
        if (next.equals(live)) return;
        live = next;
        if (next.contains(self)) liveWithSelf = next;
        apply();
    }

    private void apply() {
        scrapes.accept(roster.stream().filter(replica -> mine(replica.shard())).toList());
        owned.accept(roster.stream()
                .filter(replica -> first(liveWithSelf, replica.shard()))
                .toList());
    }

    boolean mine(int shard) {
        return !live.contains(self) || first(live, shard);
    }

    private boolean first(List<String> members, int shard) {
        return !members.isEmpty() && self.equals(Rendezvous.first(members, "shard-" + shard));
    }
}
