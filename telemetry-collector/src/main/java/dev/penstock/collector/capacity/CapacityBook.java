package dev.penstock.collector.capacity;

import dev.penstock.collector.scrape.Reading;
import dev.penstock.collector.scrape.ReadingListener;
import dev.penstock.core.capacity.WorkMeter;
import dev.penstock.model.PoolId;
import dev.penstock.model.Replica;
import dev.penstock.model.Sample;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The capacity that is published of each replica that this collector scrapes. It starts with what was last published of the
 * replica, by whichever collector, and goes over to what is learned here as the replica works under these eyes:
 *
 * <pre>
 *   published = prior^(1 - w) x learned^w,   w = min(1, busy seconds / 60)
 * </pre>
 *
 * with the prior as far from the middle of the pool as it was when it was told: the pool's learner may find that all saturate
 * elsewhere, which makes nobody unlike the others. An engine that left when the middle was thought to be at 12 and came back
 * when it was at 36 would else be told a third of what its like are, and three times that when the middle fell again. So
 * neither a restart of the collector nor a takeover shows as a step; learning starts with it as well. A replica that has
 * nothing to do is given what the learner says, however little it worked here. Changes up to 1 % are not published, and none
 * more often than {@link #tick} is called. One thread.
 */
public final class CapacityBook implements ReadingListener {
    private static final double BUSY_SECONDS = 60;
    /** The past is read while the first scrapes are already under way. */
    private static final double EARLY_SECONDS = 5;

    /** More time is not made up for: whoever was away so long has learned nothing meanwhile. */
    private static final long LONGEST_NANOS = Duration.ofMinutes(1).toNanos();

    private static final double BUSY_ABOVE = 0.5;
    private static final int MOST_HEARD = 100_000;
    private static final int LEAST_MILLI = 10;
    private static final int MOST_MILLI = 10_000_000;
    private static final double SMOOTHED_TICKS = 10;

    private final IntUnaryOperator inflight;
    private final Supplier<PoolLearner> learners;
    private final Map<Integer, Entry> numberToEntry = new TreeMap<>();
    private final Map<PoolId, PoolLearner> poolToLearner = new HashMap<>();
    private final Map<Integer, Told> numberToHeard = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Told> eldest) {
            return size() > MOST_HEARD;
        }
    };
    private long tickNanos;
    private boolean ticked;

    /** @param middleMilli where the middle of the pool was then; 0 = not known */
    private record Told(int milli, int middleMilli) {
        static final Told NOTHING = new Told(0, 0);

        /** What it comes to with the middle where it is. */
        int at(int nowMiddleMilli) {
            return middleMilli == 0 || nowMiddleMilli == 0
                    ? milli
                    : bounded((double) milli * nowMiddleMilli / middleMilli);
        }
    }

    private static final class Entry {
        Replica replica;
        final WorkMeter meter = new WorkMeter();
        Told prior = Told.NOTHING;
        int publishedMilli;
        /** Without exploration. */
        int knownMilli;

        double busySeconds;
        double workPerSecond;

        Entry(Replica replica) {
            this.replica = replica;
        }
    }

    /**
     * What is known of a replica.
     *
     * @param publishedMilli 0 = nothing
     * @param priorMilli what it started with; 0 = nothing
     * @param busySeconds with work in flight, seen here
     * @param workPerSecond units of lately, while it was busy
     * @param throughput units per second that it could do, as learned; 0 = not known
     */
    public record Status(
            int publishedMilli, int priorMilli, double busySeconds, double workPerSecond, double throughput) {
        private static final Status NOTHING = new Status(0, 0, 0, 0, 0);

        public boolean learned() {
            return publishedMilli > 0 && busySeconds > 0;
        }
    }

    /**
     * @param inflight of all routers, by replica number
     * @param learners makes one for a pool
     */
    public CapacityBook(IntUnaryOperator inflight, Supplier<PoolLearner> learners) {
        this.inflight = inflight;
        this.learners = learners;
    }

    /** Requests of routers where they are known, else what the engine says: somebody may use it without Penstock. */
    @Override
    public void read(Replica replica, Reading reading, long nowNanos) {
        Entry entry = numberToEntry.get(replica.number());
        if (entry != null && !entry.replica.pool().equals(replica.pool())) {
            removed(entry.replica);
            // another model's numbers
            numberToHeard.remove(replica.number());
            entry = null;
        }
        if (entry == null) {
            entry = new Entry(replica);
            numberToEntry.put(replica.number(), entry);
            Told told = numberToHeard.getOrDefault(replica.number(), Told.NOTHING);
            prior(entry, told.at(learner(entry).middleMilli()));
        }
        entry.replica = replica;
        int routed = inflight.applyAsInt(replica.number());
        int there = routed > 0 ? routed : reading.running() + reading.waiting();
        long heartbeat = reading.live() ? Sample.UNKNOWN : reading.heartbeat();
        entry.meter.sample(reading.work(), heartbeat, reading.running(), there, nowNanos);
    }

    @Override
    public void restarted(Replica replica) {
        Entry entry = numberToEntry.get(replica.number());
        if (entry == null) return;
        entry.meter.restarted();
        learner(entry).restarted(replica.number());
    }

    @Override
    public void removed(Replica replica) {
        Entry entry = numberToEntry.remove(replica.number());
        if (entry == null) return;
        PoolId pool = entry.replica.pool();
        PoolLearner learner = learner(entry);
        if (entry.knownMilli > 0)
            numberToHeard.put(replica.number(), new Told(entry.knownMilli, learner.middleMilli()));
        learner.forget(replica.number());
        if (numberToEntry.values().stream()
                .noneMatch(other -> other.replica.pool().equals(pool))) poolToLearner.remove(pool);
    }

    /** Another collector, or an earlier life of this one, published this. */
    public void heard(int number, int capacityMilli) {
        if (capacityMilli < LEAST_MILLI || capacityMilli > MOST_MILLI) return;
        numberToHeard.put(number, new Told(capacityMilli, 0));
        Entry entry = numberToEntry.get(number);
        if (entry == null || entry.prior.milli != 0) return;
        if (entry.publishedMilli == 0 || entry.busySeconds < EARLY_SECONDS) prior(entry, capacityMilli);
    }

    private void prior(Entry entry, int milli) {
        if (milli == 0) return;
        // where the middle is with it, the next settling tells
        entry.prior = new Told(milli, 0);
        entry.publishedMilli = milli;
        entry.knownMilli = milli;
        learner(entry).expect(entry.replica.number(), hardwareClass(entry.replica), milli);
    }

    /** Called once a second. */
    public void tick(long nowNanos) {
        long elapsed = ticked ? nowNanos - tickNanos : 0;
        ticked = true;
        tickNanos = nowNanos;
        for (Entry entry : numberToEntry.values()) {
            if (entry.meter.tick()) observe(entry);
        }
        if (elapsed <= 0) return;
        poolToLearner.values().forEach(learner -> learner.settle(Math.min(elapsed, LONGEST_NANOS)));
        numberToEntry.values().forEach(this::publish);
    }

    private void observe(Entry entry) {
        WorkMeter meter = entry.meter;
        learner(entry)
                .observe(
                        entry.replica.number(),
                        hardwareClass(entry.replica),
                        meter.work(),
                        meter.meanInflight(),
                        meter.dtNanos());
        if (meter.meanInflight() < BUSY_ABOVE) return;
        double seconds = meter.dtNanos() / 1e9;
        double rate = meter.work() / seconds;
        entry.workPerSecond =
                entry.busySeconds == 0 ? rate : entry.workPerSecond + (rate - entry.workPerSecond) / SMOOTHED_TICKS;
        entry.busySeconds += seconds;
    }

    private void publish(Entry entry) {
        PoolLearner learner = learner(entry);
        int learned = learner.capacityMilli(entry.replica.number());
        if (learned <= 0) return;
        double blend = learned;
        if (entry.prior.milli > 0) {
            int middleMilli = learner.middleMilli();
            if (entry.prior.middleMilli == 0) entry.prior = new Told(entry.prior.milli, middleMilli);
            double weight = Math.min(1, entry.busySeconds / BUSY_SECONDS);
            int prior = entry.prior.at(middleMilli);
            blend = prior * Math.pow((double) learned / prior, weight);
        }
        boolean explored = learner.explored(entry.replica.number());
        if (!explored) entry.knownMilli = bounded(blend);
        if (explored) blend = Math.max(blend, learned);
        int next = bounded(blend);
        if (Math.abs(next - entry.publishedMilli) * 100L > entry.publishedMilli) entry.publishedMilli = next;
    }

    private static int bounded(double milli) {
        return Math.clamp(Math.round(milli), LEAST_MILLI, MOST_MILLI);
    }

    private PoolLearner learner(Entry entry) {
        return poolToLearner.computeIfAbsent(entry.replica.pool(), pool -> learners.get());
    }

    private static String hardwareClass(Replica replica) {
        @Nullable String named = replica.hardwareClass();
        return named == null ? "" : named;
    }

    /** Requests in flight at which it does half of what it can, thousandths; 0 = not known. */
    public int capacityMilli(int number) {
        Entry entry = numberToEntry.get(number);
        return entry == null ? 0 : entry.publishedMilli;
    }

    public Status status(int number) {
        Entry entry = numberToEntry.get(number);
        return entry == null
                ? Status.NOTHING
                : new Status(
                        entry.publishedMilli,
                        entry.prior.milli,
                        entry.busySeconds,
                        entry.workPerSecond,
                        learner(entry).throughput(number));
    }

    /** Of each pool what its most capable replica can do over what its least capable one can, where both are known. */
    public Map<PoolId, Double> poolToSpread() {
        Map<PoolId, Double> least = new HashMap<>();
        Map<PoolId, Double> spread = new HashMap<>();
        for (Entry entry : numberToEntry.values()) {
            if (entry.publishedMilli > 0) least.merge(entry.replica.pool(), (double) entry.publishedMilli, Math::min);
        }
        for (Entry entry : numberToEntry.values()) {
            Double lowest = least.get(entry.replica.pool());
            if (lowest != null && entry.publishedMilli > 0)
                spread.merge(entry.replica.pool(), entry.publishedMilli / lowest, Math::max);
        }
        return spread;
    }

    /** Replicas scraped here of which something was learned here; of which only a prior is known; and the rest. */
    public int[] counts() {
        int[] counts = new int[3];
        for (Entry entry : numberToEntry.values()) {
            counts[entry.publishedMilli == 0 ? 2 : entry.busySeconds > 0 ? 0 : 1]++;
        }
        return counts;
    }
}
