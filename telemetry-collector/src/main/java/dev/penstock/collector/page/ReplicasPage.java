package dev.penstock.collector.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.penstock.collector.capacity.CapacityBook;
import dev.penstock.collector.discovery.Discovery;
import dev.penstock.collector.roster.RosterOwner;
import dev.penstock.collector.scrape.SampleBook;
import dev.penstock.collector.scrape.ScrapeLoop;
import dev.penstock.model.Replica;
import dev.penstock.model.Sample;
import java.util.function.LongSupplier;

/** {@code /debug/replicas}. Written on the collector's context, a few times a second; any thread may read the last one. */
public final class ReplicasPage {
    private final Discovery discovery;
    private final RosterOwner roster;
    private final ScrapeLoop scrapes;
    private final SampleBook book;
    private final CapacityBook capacities;
    private final LongSupplier nanoClock;
    private volatile JsonNode page = JsonNodeFactory.instance.objectNode();

    public ReplicasPage(
            Discovery discovery,
            RosterOwner roster,
            ScrapeLoop scrapes,
            SampleBook book,
            CapacityBook capacities,
            LongSupplier nanoClock) {
        this.capacities = capacities;
        this.discovery = discovery;
        this.roster = roster;
        this.scrapes = scrapes;
        this.book = book;
        this.nanoClock = nanoClock;
    }

    public JsonNode page() {
        return page;
    }

    public void refresh() {
        long now = nanoClock.getAsLong();
        ObjectNode next = JsonNodeFactory.instance.objectNode();
        next.put("owner", roster.owns());
        next.put("discoveryError", discovery.problem());
        ObjectNode refused = next.putObject("refused");
        roster.refusals().forEach(refused::put);
        ArrayNode replicas = next.putArray("replicas");
        for (ScrapeLoop.Status status : scrapes.status()) replica(replicas.addObject(), status, now);
        page = next;
    }

    private void replica(ObjectNode node, ScrapeLoop.Status status, long now) {
        Replica replica = status.replica();
        node.put("name", replica.name());
        node.put("number", replica.number());
        node.put("endpoint", replica.endpoint());
        replica.models().forEach(node.putArray("models")::add);
        SampleBook.Aged aged = book.aged(replica.number(), now);
        if (aged == null) {
            for (String key : new String[] {"running", "waiting", "kvUsed", "heartbeat", "ageMs"}) node.putNull(key);
        } else {
            Sample sample = aged.sample();
            node.put("running", sample.running());
            node.put("waiting", sample.waiting());
            if (sample.kvUsedPpm() == Sample.UNKNOWN) node.putNull("kvUsed");
            else node.put("kvUsed", sample.kvUsedPpm() / 1e6);
            node.put("heartbeat", sample.heartbeat());
            node.put("ageMs", sample.ageMicros() / 1000);
            node.put("sleeping", sample.sleeping());
        }
        capacity(node.putObject("capacity"), capacities.status(replica.number()));
        node.put("freshness", book.freshness(replica.number(), now).name());
        node.put("intervalMs", book.intervalNanos(replica.number(), now) / 1_000_000);
        node.put("achievedMs", status.achievedMillis());
        node.put("failures", status.failures());
        node.put("lastError", status.lastError());
    }

    /** {@code inflight}: at which it does half of what it can; null where nothing is known. */
    private static void capacity(ObjectNode node, CapacityBook.Status status) {
        if (status.publishedMilli() == 0) node.putNull("inflight");
        else node.put("inflight", status.publishedMilli() / 1e3);
        if (status.priorMilli() == 0) node.putNull("prior");
        else node.put("prior", status.priorMilli() / 1e3);
        node.put("busySeconds", Math.round(status.busySeconds()));
        if (status.throughput() == 0) node.putNull("throughput");
        else node.put("throughput", Math.round(status.throughput() * 10) / 10.0);
        node.put("workPerSecond", Math.round(status.workPerSecond() * 10) / 10.0);
    }
}
