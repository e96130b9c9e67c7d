package dev.penstock.collector.kvevents;

import dev.penstock.collector.discovery.DiscoveredReplica;
import dev.penstock.collector.discovery.Discovery;
import dev.penstock.core.kvevents.Vocabulary;
import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.model.PrefixRecord.PrefixBlocks;
import dev.penstock.model.Replica;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * KV events of the replicas that this collector scrapes, where the configuration wants them and the source of replicas tells an
 * address. Without such a model it does nothing and has no thread. Used on one context.
 */
public final class KvEvents {
    private final Vertx vertx;
    private final Vocabularies vocabularies;
    private final Discovery discovery;
    private final PrefixPublisher publisher;
    private final KvSubscriber subscriber;
    private List<Replica> scraped = List.of();
    private List<KvTarget> targets = List.of();
    private @Nullable Context context;

    public KvEvents(
            Vertx vertx,
            Vocabularies vocabularies,
            Discovery discovery,
            KafkaBus bus,
            Incarnation self,
            MeterRegistry meters,
            LongSupplier nanoClock) {
        this.vertx = vertx;
        this.vocabularies = vocabularies;
        this.discovery = discovery;
        publisher = new PrefixPublisher(bus, self, nanoClock);
        subscriber = new KvSubscriber(this::told, new KvCounters(meters), nanoClock);
    }

    public void start() {
        if (vocabularies.isEmpty()) return;
        context = vertx.getOrCreateContext();
        subscriber.start();
    }

    /** The replicas of this collector's shards, and of no other's. */
    public void roster(List<Replica> replicas) {
        scraped = replicas;
    }

    /** Looks who publishes where; only the owner of the roster looks at the source for other reasons. */
    public Future<?> tick() {
        if (vocabularies.isEmpty()) return Future.succeededFuture();
        return discovery.refresh().onSuccess(looked -> compare());
    }

    private void compare() {
        List<DiscoveredReplica> discovered = discovery.replicas();
        if (discovered == null) return;
        Map<String, DiscoveredReplica.KvSource> nameToSource = new HashMap<>();
        for (DiscoveredReplica each : discovered) {
            if (each.kvEvents() != null) nameToSource.put(each.name(), each.kvEvents());
        }
        List<KvTarget> next = new ArrayList<>();
        for (Replica replica : scraped) {
            DiscoveredReplica.KvSource source = nameToSource.get(replica.name());
            if (source == null || replica.models().isEmpty()) continue;
            // the first is the engine's own model, the others its further names and adapters
            String model = replica.models().getFirst();
            Vocabulary vocabulary = vocabularies.of(model);
            if (vocabulary == null) continue;
            next.add(new KvTarget(replica.number(), replica.uid(), replica.name(), model, source, vocabulary));
        }
        if (next.equals(targets)) return;
        targets = next;
        subscriber.targets(next);
    }

    private void told(List<PrefixBlocks> blocks, Runnable taken) {
        Context loop = context;
        if (loop == null) return;
        loop.runOnContext(run -> {
            publisher.publish(blocks);
            taken.run();
        });
    }

    /** Closes all sockets. */
    public Future<Void> close() {
        if (vocabularies.isEmpty()) return Future.succeededFuture();
        return vertx.executeBlocking(() -> {
                    subscriber.close();
                    return true;
                })
                .mapEmpty();
    }
}
