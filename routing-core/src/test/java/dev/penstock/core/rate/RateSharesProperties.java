package dev.penstock.core.rate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * Routers that apply records up to 1.5 s late, a planner that reads its own records back up to 0.3 s late and has one under way
 * at a time, and any schedule of limits, joins, departures and new owners. A router that departed goes on applying what it
 * reads: it may merely be cut off from Redis.
 */
class RateSharesProperties {
    private static final long MILLI = 1_000_000L;
    private static final long STEP = 100 * MILLI;
    private static final int ROUTERS = 5;
    private static final long ROUTER_LAG = 1_500 * MILLI;
    private static final long READ_LAG = 300 * MILLI;
    private static final long CONVERGED = 7_000 * MILLI;

    /** The 2 s, one record under way, the reading back of it and one step: as long as an old limit may linger. */
    private static final long OLD_LIMIT_LINGERS = 2_000 * MILLI + 2 * READ_LAG + 2 * STEP;

    private enum Kind {
        LIMIT,
        JOIN,
        LEAVE,
        NEW_OWNER
    }

    record Change(Kind kind, int argument, int stepsUntilNext) {}

    @Provide
    Arbitrary<List<Change>> schedules() {
        return Combinators.combine(
                        Arbitraries.of(Kind.values()),
                        Arbitraries.integers().between(0, 10_000),
                        Arbitraries.integers().between(0, 80))
                .as(Change::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(25);
    }

    @Property(tries = 400, seed = "1")
    void routers_never_hold_more_than_the_higher_of_old_and_new_limit(
            @ForAll("schedules") List<Change> schedule, @ForAll long seed) {
        Fleet fleet = new Fleet(seed);
        for (Change change : schedule) {
            fleet.apply(change);
            for (int i = 0; i < change.stepsUntilNext(); i++) fleet.step();
        }
    }

    @Property(tries = 400, seed = "1")
    void shares_are_equal_seven_seconds_after_the_last_change(
            @ForAll("schedules") List<Change> schedule, @ForAll long seed) {
        Fleet fleet = new Fleet(seed);
        for (Change change : schedule) {
            fleet.apply(change);
            for (int i = 0; i < change.stepsUntilNext(); i++) fleet.step();
        }
        for (long spent = 0; spent < CONVERGED; spent += STEP) fleet.step();

        Map<String, Long> last = fleet.log.getLast().shares();
        assertThat(last.keySet()).isEqualTo(fleet.live);
        if (last.isEmpty()) return;
        assertThat(RateShares.sum(last)).isEqualTo(fleet.limit);
        long lowest = last.values().stream().mapToLong(Long::longValue).min().orElseThrow();
        long highest = last.values().stream().mapToLong(Long::longValue).max().orElseThrow();
        assertThat(highest - lowest).isLessThanOrEqualTo(1);
    }

    private record Logged(Map<String, Long> shares, long sequence, int owner, long readNanos) {}

    private record Limit(long value, long untilNanos) {}

    private static final class Fleet {
        private final Random random;
        private final List<Logged> log = new ArrayList<>();
        private final Map<String, Long> held = new TreeMap<>();
        private final Map<String, Integer> applied = new TreeMap<>();
        private final List<Map<String, Long>> recordToApplyNanos = new ArrayList<>();
        private final TreeSet<String> live = new TreeSet<>();
        private final List<Limit> before = new ArrayList<>();
        private RateShares shares = new RateShares();
        private long limit = 5_000;
        private long now = 42;
        private long sequence;
        private int owner;
        private int read;

        Fleet(long seed) {
            random = new Random(seed);
        }

        void apply(Change change) {
            String router = "router-" + change.argument() % ROUTERS;
            switch (change.kind()) {
                case LIMIT -> {
                    before.add(new Limit(limit, now));
                    limit = change.argument();
                }
                case JOIN -> live.add(router);
                case LEAVE -> live.remove(router);
                case NEW_OWNER -> {
                    // it finds the last record, as after compaction
                    shares = new RateShares();
                    owner++;
                    read = Math.max(0, log.size() - 1);
                }
            }
        }

        void step() {
            now += STEP;
            readBack();
            shares.live(live, now);
            Map<String, Long> next = shares.plan(limit, now);
            assertThat(RateShares.sum(next)).isLessThanOrEqualTo(limit);
            boolean underWay = read < log.size();
            if (!underWay && (log.isEmpty() || !log.getLast().shares().equals(next))) publish(next);
            routersApply();
            check();
        }

        private void readBack() {
            while (read < log.size() && log.get(read).readNanos() - now <= 0) {
                Logged record = log.get(read++);
                if (record.owner() == owner) shares.heardOwn(record.shares(), record.sequence(), now);
                else shares.heardOther(record.shares(), now);
            }
        }

        private void publish(Map<String, Long> next) {
            shares.sending(next, ++sequence);
            log.add(new Logged(next, sequence, owner, now + random.nextLong(READ_LAG)));
            Map<String, Long> times = new TreeMap<>();
            for (int i = 0; i < ROUTERS; i++) times.put("router-" + i, now + random.nextLong(ROUTER_LAG));
            recordToApplyNanos.add(times);
        }

        private void routersApply() {
            for (int i = 0; i < ROUTERS; i++) {
                String router = "router-" + i;
                int next = applied.getOrDefault(router, 0);
                while (next < log.size() && recordToApplyNanos.get(next).get(router) <= now) {
                    held.put(router, log.get(next++).shares().getOrDefault(router, 0L));
                }
                applied.put(router, next);
            }
        }

        private void check() {
            long bound = limit;
            for (Limit old : before) {
                if (now - old.untilNanos() <= OLD_LIMIT_LINGERS) bound = Math.max(bound, old.value());
            }
            assertThat(RateShares.sum(held)).isLessThanOrEqualTo(bound);
        }
    }
}
