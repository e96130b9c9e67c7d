package dev.penstock.collector.scrape;

import dev.penstock.model.Freshness;
import dev.penstock.model.Sample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The last reading of each replica and how old it is. A page that is served is not a signal, because gauges freeze: a scrape
 * proves the reading only if the engine is idle (nothing running or waiting, and no router has a request in flight there)
 * or its heartbeat moved since the last proof.
 *
 * <pre>
 *   proof ... scrape, unmoved ... scrape, unmoved ............ scrape, unmoved
 *     |<---------- grace: age = since the scrape ----------->|<- age = since the proof ...
 * </pre>
 *
 * Grace = max(500 ms, 5 intervals) with work in flight and no movement. Engines move once per step, and chunked prefill
 * bounds a step to max_num_batched_tokens (2,048 to 8,192 by default): 8,192 tokens of an 8B model take about 0.3 s on one
 * H100 (2 x 8e9 x 8192 FLOP at 40 % of 1 PFLOP/s), and 2,048 of a 70B model on four about 0.2 s. Where a step does take
 * longer, its sample is STALE for the rest of that step, which costs weight and not traffic; calling a hung engine fresh
 * would cost requests. A failed scrape proves nothing and its age grows. One thread.
 */
public final class SampleBook {
    private static final long RESTART_SHOWN_NANOS = Duration.ofSeconds(3).toNanos();

    private static final long GRACE_FLOOR_NANOS = Duration.ofMillis(500).toNanos();
    private static final int GRACE_INTERVALS = 5;
    private static final long LOAD_LASTS_NANOS = Duration.ofSeconds(5).toNanos();
    private static final long FULL_PAGE_NANOS = Duration.ofMillis(250).toNanos();

    private final long intervalNanos;
    private final long idleNanos;
    private final IntUnaryOperator inflight;
    private final IntUnaryOperator capacityMilli;
    private final TreeMap<Integer, Entry> numberToEntry = new TreeMap<>();

    /** A reading that has been published or not yet, with the moment it stands for. */
    public record Aged(Sample sample, long sinceNanos) {}

    private static final class Entry {
        @Nullable
        Reading reading;

        long provenNanos;
        long scrapedNanos;
        long quietSinceNanos;
        boolean quiet;
        boolean frozen;
        boolean fullPage;
        long loadUntilNanos;
        long provenHeartbeat;
        long answers;
        boolean restarted;
        long restartNanos;
    }

    /**
     * @param inflight of all routers, by replica number
     * @param capacityMilli as learned, by replica number; 0 = nothing
     */
    public SampleBook(
            Duration interval, Duration idleInterval, IntUnaryOperator inflight, IntUnaryOperator capacityMilli) {
        this.capacityMilli = capacityMilli;
        this.intervalNanos = interval.toNanos();
        this.idleNanos = idleInterval.toNanos();
        this.inflight = inflight;
    }

    /** A replica that nothing is known of; it is watched closely at first. */
    public void add(int number, long nowNanos) {
        Entry entry = new Entry();
        entry.loadUntilNanos = nowNanos + LOAD_LASTS_NANOS;
        numberToEntry.put(number, entry);
    }

    public void remove(int number) {
        numberToEntry.remove(number);
    }

    /** @param fullPage the reading came from a page too large for the short interval */
    public void scraped(int number, Reading reading, boolean fullPage, long nowNanos) {
        Entry entry = numberToEntry.get(number);
        if (entry == null) return;
        entry.fullPage = fullPage;
        boolean first = entry.reading == null;
        boolean inFlight = inflight.applyAsInt(number) > 0;
        boolean idle = reading.running() == 0 && reading.waiting() == 0 && !inFlight;
        boolean moved = first || reading.live() || moved(entry, reading);
        if (reading.live()) entry.answers++;
        if (!idle || (moved && !first)) entry.loadUntilNanos = nowNanos + LOAD_LASTS_NANOS;
        if (idle || moved) {
            entry.provenNanos = nowNanos;
            entry.provenHeartbeat = reading.heartbeat();
            entry.quiet = !idle;
            entry.quietSinceNanos = nowNanos;
        } else if (!entry.quiet) {
            entry.quiet = true;
            entry.quietSinceNanos = nowNanos;
        }
        entry.frozen = entry.quiet && nowNanos - entry.quietSinceNanos > grace(entry, nowNanos);
        entry.scrapedNanos = nowNanos;
        entry.reading = reading;
    }

    /** Its counters began anew. */
    public void restarted(int number, long nowNanos) {
        Entry entry = numberToEntry.get(number);
        if (entry == null) return;
        entry.restarted = true;
        entry.restartNanos = nowNanos;
    }

    /** Load without a scrape: a router sends there. */
    public void gotTraffic(int number, long nowNanos) {
        Entry entry = numberToEntry.get(number);
        if (entry != null) entry.loadUntilNanos = nowNanos + LOAD_LASTS_NANOS;
    }

    /** The replica's present interval; freshness is judged by it. */
    public long intervalNanos(int number, long nowNanos) {
        Entry entry = numberToEntry.get(number);
        return entry == null ? idleNanos : interval(number, entry, nowNanos);
    }

    /** Null = never read. */
    public @Nullable Aged aged(int number, long nowNanos) {
        Entry entry = numberToEntry.get(number);
        if (entry == null) return null;
        Reading reading = entry.reading;
        if (reading == null) return null;
        long since = since(entry);
        Sample sample = new Sample(
                number,
                reading.running(),
                reading.waiting(),
                reading.kvUsedPpm(),
                reading.live() ? entry.answers : Math.max(0, reading.heartbeat()),
                capacityMilli.applyAsInt(number),
                Math.max(0, nowNanos - since) / 1000,
                (int) (interval(number, entry, nowNanos) / 1_000_000),
                flags(entry, reading, nowNanos));
        return new Aged(sample, since);
    }

    private static int flags(Entry entry, Reading reading, long nowNanos) {
        boolean restarted = entry.restarted && nowNanos - entry.restartNanos < RESTART_SHOWN_NANOS;
        return (reading.sleeping() ? Sample.SLEEPING : 0) | (restarted ? Sample.RESTARTED : 0);
    }

    public Freshness freshness(int number, long nowNanos) {
        Entry entry = numberToEntry.get(number);
        if (entry == null || entry.reading == null) return Freshness.MISSING;
        return Freshness.of(nowNanos - since(entry), interval(number, entry, nowNanos));
    }

    /** In rising order. */
    public List<Integer> numbers() {
        return new ArrayList<>(numberToEntry.keySet());
    }

    /** Without a counter any change of the page is movement. */
    private static boolean moved(Entry entry, Reading reading) {
        if (reading.heartbeat() == Sample.UNKNOWN) return !reading.equals(entry.reading);
        return reading.heartbeat() != entry.provenHeartbeat;
    }

    private static long since(Entry entry) {
        return entry.quiet && !entry.frozen ? entry.scrapedNanos : entry.provenNanos;
    }

    private long grace(Entry entry, long nowNanos) {
        long interval = nowNanos - entry.loadUntilNanos < 0 ? pace(entry, intervalNanos) : pace(entry, idleNanos);
        return Math.max(GRACE_FLOOR_NANOS, GRACE_INTERVALS * interval);
    }

    private long interval(int number, Entry entry, long nowNanos) {
        boolean load = nowNanos - entry.loadUntilNanos < 0 || inflight.applyAsInt(number) > 0;
        return pace(entry, load ? intervalNanos : idleNanos);
    }

    private static long pace(Entry entry, long interval) {
        return entry.fullPage ? Math.max(FULL_PAGE_NANOS, interval) : interval;
    }
}
