package dev.penstock.collector.scrape;

import dev.penstock.kit.log.LogKeys;
import dev.penstock.kit.metrics.MetricNames;
import dev.penstock.model.EngineKind;
import dev.penstock.model.Replica;
import dev.penstock.model.Sample;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scrapes each replica when it is due, one scrape at a time per replica: a slow engine delays itself only. Phases are spread
 * by number, and a late scrape does not shift its schedule. Used on one context.
 */
public final class ScrapeLoop {
    private static final Logger LOG = LoggerFactory.getLogger(ScrapeLoop.class);
    private static final Duration SHORTEST_LIMIT = Duration.ofMillis(200);

    private final MetricsClient client;
    private final SampleBook book;
    private final LongSupplier nanoClock;
    private final List<ReadingListener> listeners;
    private final EngineDialect vllm = new VllmDialect();
    private final EngineDialect sglang = new SglangDialect();
    private final Map<Integer, ScrapeTarget> numberToTarget = new TreeMap<>();
    private final Counter ok;
    private final Counter failed;
    private final Counter garbage;

    public ScrapeLoop(
            MetricsClient client,
            SampleBook book,
            List<ReadingListener> listeners,
            MeterRegistry meters,
            LongSupplier nanoClock) {
        this.listeners = List.copyOf(listeners);
        this.client = client;
        this.book = book;
        this.nanoClock = nanoClock;
        ok = Counter.builder(MetricNames.COLLECTOR_SCRAPES)
                .tag(MetricNames.RESULT_LABEL, "ok")
                .register(meters);
        failed = Counter.builder(MetricNames.COLLECTOR_SCRAPES)
                .tag(MetricNames.RESULT_LABEL, "failed")
                .register(meters);
        garbage = Counter.builder(MetricNames.COLLECTOR_GARBAGE_LINES).register(meters);
    }

    /** The replicas there are; another incarnation of one starts unknown. */
    public void roster(List<Replica> replicas) {
        long now = nanoClock.getAsLong();
        Map<Integer, Replica> next = new HashMap<>();
        replicas.forEach(replica -> next.put(replica.number(), replica));
        for (ScrapeTarget target : List.copyOf(numberToTarget.values())) {
            Replica same = next.get(target.replica.number());
            if (same == null || !same.uid().equals(target.replica.uid())) {
                numberToTarget.remove(target.replica.number());
                book.remove(target.replica.number());
                listeners.forEach(each -> each.removed(target.replica));
            }
        }
        for (Replica replica : replicas) {
            ScrapeTarget present = numberToTarget.get(replica.number());
            if (present != null && present.sameScrapes(replica)) {
                present.replica = replica;
                continue;
            }
            if (present == null) book.add(replica.number(), now);
            numberToTarget.put(replica.number(), target(replica, now));
        }
    }

    /** A router sends to a replica: look at once, and often. */
    public void gotTraffic(int number) {
        long now = nanoClock.getAsLong();
        ScrapeTarget target = numberToTarget.get(number);
        if (target == null) return;
        book.gotTraffic(number, now);
        if (target.dueNanos - now > 0) target.dueNanos = now;
    }

    /** Starts what is due. */
    public void tick() {
        long now = nanoClock.getAsLong();
        for (ScrapeTarget target : numberToTarget.values()) {
            if (!target.busy && now - target.dueNanos >= 0) scrape(target, now);
        }
    }

    Collection<ScrapeTarget> targets() {
        return numberToTarget.values();
    }

    /**
     * What the debug page shows of a replica's scrapes.
     *
     * @param achievedMillis between answers, as it lately was
     */
    public record Status(
            Replica replica, long failures, @Nullable String lastError, long achievedMillis) {}

    public List<Status> status() {
        return numberToTarget.values().stream()
                .map(target -> new Status(
                        target.replica, target.failures, target.lastError, Math.round(target.achievedNanos / 1e6)))
                .toList();
    }

    private ScrapeTarget target(Replica replica, long now) {
        EngineDialect dialect =
                switch (replica.engine()) {
                    case VLLM -> vllm;
                    case SGLANG -> sglang;
                    case AUTO, UNKNOWN -> null;
                };
        long interval = book.intervalNanos(replica.number(), now);
        ScrapeTarget target = new ScrapeTarget(replica, dialect, now + phase(replica.number(), interval));
        if (dialect == null) target.lastError = "the kind of engine is not known yet: " + name(replica.engine());
        return target;
    }

    private void scrape(ScrapeTarget target, long now) {
        int number = target.replica.number();
        long interval = book.intervalNanos(number, now);
        target.dueNanos = now - target.dueNanos > interval ? now + interval : target.dueNanos + interval;
        if (target.dialect == null) return;
        target.busy = true;
        Duration limit = Duration.ofNanos(Math.max(SHORTEST_LIMIT.toNanos(), 2 * interval));
        client.scrape(target, target.dialect, limit).onComplete(done -> {
            target.busy = false;
            if (numberToTarget.get(number) != target) return;
            if (done.succeeded()) take(target, done.result());
            else fail(target, String.valueOf(done.cause()));
        });
    }

    private void take(ScrapeTarget target, PageResult result) {
        switch (result) {
            case PageResult.Read read
            when known(read.reading()) -> {
                long now = nanoClock.getAsLong();
                ok.increment();
                target.answered(now);
                garbage.increment(read.garbageLines());
                noteRestart(target, read.reading().heartbeat());
                book.scraped(target.replica.number(), read.reading(), read.fullPage(), now);
                listeners.forEach(each -> each.read(target.replica, read.reading(), now));
                // the interval may have become shorter than the one the next scrape was planned by
                long soonest = now + book.intervalNanos(target.replica.number(), now);
                if (target.dueNanos - soonest > 0) target.dueNanos = soonest;
                recovered(target);
            }
            case PageResult.Read read -> fail(target, "running or waiting is not a number: " + read.reading());
            case PageResult.Failed failure -> fail(target, failure.reason());
        }
    }

    /** Counters never fall while a process lives. */
    private void noteRestart(ScrapeTarget target, long heartbeat) {
        if (heartbeat == Sample.UNKNOWN) return;
        if (heartbeat < target.heartbeat) {
            LOG.atInfo()
                    .addKeyValue(LogKeys.REPLICA, target.replica.name())
                    .addKeyValue(LogKeys.OLD, target.heartbeat)
                    .addKeyValue(LogKeys.NEW, heartbeat)
                    .log("engine restarted");
            book.restarted(target.replica.number(), nanoClock.getAsLong());
            listeners.forEach(each -> each.restarted(target.replica));
        }
        target.heartbeat = heartbeat;
    }

    private static boolean known(Reading reading) {
        return reading.running() != Sample.UNKNOWN && reading.waiting() != Sample.UNKNOWN;
    }

    private void recovered(ScrapeTarget target) {
        if (target.lastError == null) return;
        LOG.atInfo()
                .addKeyValue(LogKeys.REPLICA, target.replica.name())
                .addKeyValue(LogKeys.OLD, target.lastError)
                .addKeyValue(LogKeys.NEW, "ok")
                .log("scrapes");
        target.lastError = null;
    }

    private void fail(ScrapeTarget target, String reason) {
        failed.increment();
        target.failures++;
        if (target.lastError == null) {
            LOG.atInfo()
                    .addKeyValue(LogKeys.REPLICA, target.replica.name())
                    .addKeyValue(LogKeys.OLD, "ok")
                    .addKeyValue(LogKeys.NEW, reason)
                    .log("scrapes");
        }
        target.lastError = reason;
    }

    /** Spreads the scrapes of replicas that were found together over the interval. */
    private static long phase(int number, long interval) {
        return Math.floorMod(number * 0x9E3779B97F4A7C15L, interval);
    }

    private static String name(EngineKind kind) {
        return kind.name().toLowerCase(java.util.Locale.ROOT);
    }
}
