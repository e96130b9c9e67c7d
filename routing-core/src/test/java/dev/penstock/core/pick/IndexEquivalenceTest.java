package dev.penstock.core.pick;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.core.Fleet;
import dev.penstock.core.quarantine.Quarantine;
import dev.penstock.core.view.Bias;
import dev.penstock.core.view.Candidates;
import dev.penstock.core.view.FleetView;
import dev.penstock.core.view.HotRow;
import dev.penstock.core.view.PoolLoad;
import dev.penstock.core.view.ReplicaCell;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.model.Header;
import dev.penstock.model.HealthRecord;
import dev.penstock.model.InflightVector;
import dev.penstock.model.PoolId;
import dev.penstock.model.Replica;
import dev.penstock.model.RosterRecord;
import dev.penstock.model.RoutingStrategy;
import dev.penstock.model.Sample;
import dev.penstock.model.Shards;
import dev.penstock.model.TelemetryFrame;
import dev.penstock.model.Verdict;
import dev.penstock.testkit.record.ReplicaBuilder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Whatever happens to a fleet, what the index leads to is what a look at every replica finds: a replica that stands as the
 * best does and whose load, or score less credit, is the least of those, but for the width of an index bucket. Time passes with refreshes only:
 * between them the index may not know that a verdict has expired.
 *
 * <pre>
 *   width   64 thousandths at first; doubled by a refresh only when the median is beyond bucket 512, so that it stays
 *           within max(64, highest median so far / 256). Of excluded replicas eight times that.
 * </pre>
 *
 * All beyond the last bucket are alike to the index, which is four times the median as of the last refresh at least (and 32
 * requests): where the least loaded that is not excluded has more, the load is not looked at.
 */
class IndexEquivalenceTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long NOW = 1_000 * SECOND;
    private static final long FIRST_WIDTH_MILLI = 64;
    private static final int EXCLUDED_COARSER = 8;
    /** Requests per replica beyond which nobody comes, goes or is excluded: buckets are made narrow by that. */
    private static final int HEAVY = 100;

    private static final long LAST_BUCKET_MILLI = 32_000;
    private static final int EPSILON_MILLI = 500;
    private static final PickRule LEAST_REQUEST = rule("least-request");
    private static final PickRule LOAD_BALANCE = rule("load-balance");
    private static final String ALL = Fleet.MODEL;
    private static final String SOME = "sim/adapter";

    private final Map<Standing, Integer> picked = new EnumMap<>(Standing.class);
    private int decisions;
    private int refused;
    private int beyondFirstWidth;
    private int beyondLastBucket;
    private int warmPicks;

    @Test
    void what_the_index_leads_to_is_what_a_look_at_all_replicas_finds() {
        for (int replicas : new int[] {1, 2, 3, 8, 9, 17, 64, 65, 150, 300}) {
            new Scene(replicas, 25, replicas).run(25_000);
        }

        // The scenes were what they should be.
        assertThat(decisions).isGreaterThan(50_000);
        assertThat(refused).isPositive();
        assertThat(beyondLastBucket).isLessThan(decisions / 10);
        assertThat(picked)
                .containsKeys(Standing.ROUTABLE, Standing.RAMPING, Standing.SOFT, Standing.QUARANTINED, Standing.HARD);
    }

    @Test
    void unlike_replicas_and_warm_ones_are_found_as_a_look_at_all_finds_them() {
        for (int replicas : new int[] {1, 2, 7, 16, 65, 150}) {
            new Scene(replicas, 25, replicas, true).run(25_000);
        }
        new Scene(40, 400, 1, true).run(20_000);

        assertThat(decisions).isGreaterThan(30_000);
        assertThat(warmPicks).isGreaterThan(5_000);
        assertThat(beyondLastBucket).isLessThan(decisions / 10);
        assertThat(picked)
                .containsKeys(Standing.ROUTABLE, Standing.RAMPING, Standing.SOFT, Standing.QUARANTINED, Standing.HARD);
    }

    @Test
    void buckets_that_grow_with_the_load_and_shrink_again_lead_there_too() {
        for (int seed = 0; seed < 4; seed++) new Scene(40, 400, seed).run(20_000);

        assertThat(beyondFirstWidth).isGreaterThan(1_000);
        assertThat(beyondLastBucket).isLessThan(decisions / 10);
    }

    @Test
    void a_change_of_the_roster_does_not_make_heavily_loaded_replicas_alike() {
        Fleet fleet = heavilyLoaded();
        assertThat(mostAboveTheLeastMilli(fleet)).as("as it was").isLessThan(1_000);

        // Another one, that is no candidate yet.
        fleet.view.apply(Fleet.roster(41, "u", false), NOW);

        assertThat(mostAboveTheLeastMilli(fleet)).isLessThan(1_000);
    }

    @Test
    void a_time_when_all_are_excluded_does_not_make_heavily_loaded_replicas_alike() {
        Fleet fleet = heavilyLoaded();
        SplittableRandom random = new SplittableRandom(1);
        for (ReplicaEntry entry : fleet.view.current().entries()) {
            for (int i = 0; i < 3; i++) entry.cell().failed(1, NOW, random);
        }
        for (int i = 0; i < 10; i++) fleet.view.refresh(NOW);

        for (ReplicaEntry entry : fleet.view.current().entries()) {
            entry.cell().connectResult(true, NOW, random);
            entry.cell().succeeded();
        }

        assertThat(mostAboveTheLeastMilli(fleet)).isLessThan(1_000);
    }

    @Test
    void a_pool_whose_kv_caches_count_again_does_not_become_alike() {
        Fleet fleet = heavilyLoaded();
        mostAboveTheLeastMilli(fleet, LOAD_BALANCE);
        for (int i = 0; i < 10; i++) fleet.view.refresh(NOW);
        long later = NOW + 3 * SECOND;
        // Nobody is heard of, and then all are: full, so that a request weighs 24 times as much.
        for (int i = 0; i < 10; i++) fleet.view.refresh(later);
        for (int number = 1; number <= 40; number++) {
            Sample full = new Sample(number, 200, 0, 1_000_000, 2, 0, 0, 50, 0);
            fleet.view.apply(fleet.frame(Shards.of(number), false, new BitSet(), List.of(full), later), later);
        }
        for (int i = 0; i < 2; i++) fleet.view.refresh(later);

        assertThat(fleet.view.current().byNumber(1).cell().weight()).isEqualTo(24 * HotRow.EVEN_WEIGHT);
        assertThat(mostAboveTheLeastMilli(fleet, LOAD_BALANCE)).isLessThan(2_000);
    }

    /** 200 to 239 requests each, and refreshes enough to fit the buckets to that. */
    private static Fleet heavilyLoaded() {
        Fleet fleet = Fleet.fresh(40, NOW);
        for (int number = 1; number <= 40; number++) {
            ReplicaCell cell = fleet.view.current().byNumber(number).cell();
            for (int i = 0; i < 200 + (number * 17) % 40; i++) cell.acquire();
        }
        for (int i = 0; i < 10; i++) fleet.view.refresh(NOW);
        return fleet;
    }

    /** How far above the least loaded least-request picks, at worst of a hundred decisions. */
    private static long mostAboveTheLeastMilli(Fleet fleet) {
        return mostAboveTheLeastMilli(fleet, LEAST_REQUEST);
    }

    private static long mostAboveTheLeastMilli(Fleet fleet, PickRule rule) {
        RoutingPolicy policy = new RoutingPolicy();
        SplittableRandom random = new SplittableRandom(2);
        Routing out = new Routing();
        long least = fleet.view.current().entries().stream()
                .filter(entry -> entry.cell().candidate())
                .mapToLong(entry -> entry.cell().loadMilli())
                .min()
                .orElseThrow();
        long most = 0;
        for (int i = 0; i < 100; i++) {
            out.clear();
            policy.route(fleet.view.current(), ALL, rule, NOW, random, out);
            most = Math.max(most, out.replica().cell().loadMilli() - least);
        }
        return most;
    }

    private static PickRule rule(String name) {
        return PickRule.of(RoutingStrategy.parse(name));
    }

    /** One fleet and what happens to it. */
    private final class Scene {
        private final SplittableRandom random;
        private final FleetView view = new FleetView("router-0", 1);
        private final RoutingPolicy policy = new RoutingPolicy();
        private final Routing out = new Routing();
        private final int replicas;
        private final int mostOwn;
        private final long[] frames = new long[Shards.COUNT];
        private long now = 1_000 * SECOND;
        private long records;
        private final Affinity affinity = new Affinity();
        private final boolean unlike;
        /** Of loads, and of scores and one. */
        private final long[] mostMedianMilli = new long[2];

        private final boolean heavy;
        private final Map<String, Long> lastMedianMilli = new HashMap<>();
        private int busy;

        Scene(int replicas, int mostOwn, int seed) {
            this(replicas, mostOwn, seed, false);
        }

        /** @param unlike capacities and KV caches differ, and requests have affinities */
        Scene(int replicas, int mostOwn, int seed, boolean unlike) {
            this.unlike = unlike;
            this.replicas = replicas;
            this.mostOwn = mostOwn;
            this.heavy = mostOwn > HEAVY;
            this.random = new SplittableRandom(seed);
        }

        void run(int events) {
            for (int number = 1; number <= replicas; number++) {
                view.apply(present(number, 1, 3_600_000), now);
            }
            for (int i = 0; i < 2; i++) tellAll();
            for (int i = 0; i < events; i++) {
                // Busy and quiet times, so that loads go up and down together.
                if (i % 4_000 == 0) busy = random.nextInt(20, 80);
                happen();
                if (random.nextInt(3) == 0) decide();
            }
        }

        private void happen() {
            int number = 1 + random.nextInt(replicas);
            ReplicaEntry entry = view.current().byNumber(number);
            int what = random.nextInt(1_000);
            if (entry == null) {
                if (what < 300) join(number);
            } else if (what < 800 || heavy && what < 920) load(entry.cell());
            else if (what < 880) outcome(entry.cell());
            else if (what < 920) judge(number, "u" + random.nextInt(1, 3));
            else if (what < 955) peers();
            else if (what < 960) tell(random.nextInt(Shards.COUNT));
            else if (what < 985 || heavy) passTime();
            else if (what < 995) view.apply(record(replica(number, 1), true, RosterRecord.AGE_UNKNOWN), now);
            else join(number);
        }

        private void load(ReplicaCell cell) {
            int many = Math.max(1, mostOwn / 100);
            for (int i = 0; i < many; i++) {
                if (random.nextInt(100) < busy) {
                    if (cell.own() < mostOwn) cell.acquire();
                } else if (cell.own() > 0) cell.release();
            }
        }

        private void outcome(ReplicaCell cell) {
            switch (random.nextInt(6)) {
                case 0, 1 -> cell.failed(1, now, random);
                case 2 -> cell.succeeded();
                case 3 -> cell.endedNeutrally();
                case 4 -> {
                    boolean passed = random.nextInt(4) > 0;
                    if (cell.quarantine() instanceof Quarantine.Shut) cell.connectResult(passed, now, random);
                }
                default -> {
                    cell.served(random.nextLong(10 * SECOND));
                    cell.firstByte(random.nextLong(SECOND));
                }
            }
        }

        private void judge(int number, String uid) {
            Verdict verdict =
                    switch (random.nextInt(8)) {
                        case 0 -> new Verdict.Ejected(Verdict.Severity.SOFT, "cut streams", 1, 5_000_000);
                        case 1 -> new Verdict.Ejected(Verdict.Severity.HARD, "refused", 1, 5_000_000);
                        case 2 -> new Verdict.HalfOpen("refused", 1, "router-" + random.nextInt(2), random.nextInt(3));
                        case 3 -> new Verdict.Ramp(random.nextInt(15_000_000), 15_000_000);
                        case 4 -> new Verdict.Suspect("slow");
                        default -> Verdict.HEALTHY;
                    };
            Header header = new Header("health-0", 3, ++records, 1, now);
            long valid = 1 + random.nextInt(10_000_000);
            view.apply(new HealthRecord(header, number, uid, verdict, valid, HealthRecord.NO_PASS, 0), now);
        }

        /** Some of one peer's counts, or all of them. */
        private void peers() {
            int some = random.nextInt(1, Math.min(replicas, 50) + 1);
            int[] numbers = random.ints(1, replicas + 1).distinct().limit(some).toArray();
            int[] counts = random.ints(numbers.length, 0, 9).toArray();
            Header header = new Header("router-" + random.nextInt(1, 4), 9, ++records, -1, now);
            boolean full = random.nextInt(4) == 0;
            long arrived = records * random.nextInt(1, 50);
            PoolId pool = PoolId.localFor(ALL);
            view.apply(
                    new InflightVector(
                            header, 1, full, numbers, counts, List.of(new InflightVector.PoolArrivals(pool, arrived))),
                    now);
        }

        private void passTime() {
            now += random.nextInt(20) == 0 ? random.nextLong(4 * SECOND) : random.nextLong(200 * Fleet.MS);
            if (random.nextInt(3) == 0) tell(random.nextInt(Shards.COUNT));
            if (random.nextInt(10) == 0) tellAll();
            if (random.nextInt(10) == 0) view.foldFailureRates();
            view.refresh(now);
            for (String model : List.of(ALL, SOME)) {
                for (int basis = 0; basis < 2; basis++) {
                    long median =
                            medianMilli(model, basis == 0 ? ReplicaCell::loadMilli : cell -> scoreMilli(cell) + 1_000);
                    lastMedianMilli.put(model + basis, median);
                    mostMedianMilli[basis] = Math.max(mostMedianMilli[basis], median);
                }
            }
        }

        private long medianMilli(String model, ToLongFunction<ReplicaCell> key) {
            ReplicaEntry[] serving = view.current().serving(model);
            if (serving == null) return 0;
            long[] loads = Arrays.stream(serving)
                    .map(ReplicaEntry::cell)
                    .filter(cell -> cell.candidate() && cell.exclusion(now) == ReplicaCell.Exclusion.NONE)
                    .mapToLong(key)
                    .sorted()
                    .toArray();
            return loads.length == 0 ? 0 : loads[(loads.length - 1) / 2];
        }

        /** A new replica, one that was away, another incarnation, or one that moved. */
        private void join(int number) {
            long ageMillis = random.nextBoolean() ? random.nextInt(40_000) : RosterRecord.AGE_UNKNOWN;
            view.apply(present(number, random.nextInt(1, 3), ageMillis), now);
        }

        private RosterRecord present(int number, int incarnation, long ageMillis) {
            return record(replica(number, incarnation), false, ageMillis);
        }

        private RosterRecord record(Replica replica, boolean gone, long ageMillis) {
            Header header = new Header("collector", 1, ++records, Header.NO_EPOCH, now);
            return new RosterRecord(header, replica, gone, replicas, ageMillis);
        }

        /** Every third serves a second model. */
        private Replica replica(int number, int incarnation) {
            Replica plain = ReplicaBuilder.replica(number)
                    .uid("u" + incarnation)
                    .port(20_000 + number + (random.nextInt(10) == 0 ? 10_000 : 0))
                    .serving(ALL)
                    .build();
            return new Replica(
                    plain.name(),
                    number,
                    plain.uid(),
                    plain.endpoint(),
                    null,
                    number % 3 == 0 ? List.of(ALL, SOME) : List.of(ALL),
                    plain.engine(),
                    null,
                    plain.pool(),
                    null,
                    null,
                    0,
                    Map.of());
        }

        private void tellAll() {
            for (int shard = 0; shard < Shards.COUNT; shard++) tell(shard);
        }

        private void tell(int shard) {
            List<Sample> samples = view.current().entries().stream()
                    .map(entry -> entry.replica().number())
                    .filter(number -> Shards.of(number) == shard && random.nextInt(10) > 0)
                    .map(this::sample)
                    .toList();
            Header header = new Header("collector", 5, ++frames[shard], -1, now);
            view.apply(new TelemetryFrame(header, shard, true, new BitSet(), 0, samples), now);
        }

        private Sample sample(int number) {
            int kvUsedPpm = unlike ? random.nextInt(1_000_001) : 1;
            // A quarter of the middle one to four times that.
            int capacityMilli = unlike ? 250 << number % 5 : 0;
            int flags = random.nextInt(30) == 0 ? Sample.SLEEPING : 0;
            return new Sample(number, 1, 0, kvUsedPpm, 1, capacityMilli, 0, 50, flags);
        }

        private void decide() {
            String model = random.nextInt(4) == 0 ? SOME : ALL;
            if (random.nextInt(4) > 0) out.clear();
            if (view.current().candidates(model) == null || out.attempts() == Routing.MAX_ATTEMPTS) return;
            boolean exact = random.nextBoolean();
            affinity.clear();
            if (unlike) prefer();
            Warm warm = exact ? null : new Warm(model);
            int standing = bestStanding(model, warm);
            long least = leastMilli(model, standing, warm);

            policy.route(view.current(), model, exact ? LEAST_REQUEST : LOAD_BALANCE, affinity, now, random, out);

            decisions++;
            if (standing == Standing.TRIED.ordinal()) {
                refused++;
                assertThat(out.reason()).isEqualTo(Routing.Reason.NO_REPLICA);
                return;
            }
            check(model, standing, least, warm);
        }

        /** Some have a session, some a prompt that up to four replicas know; some of those may be away. */
        private void prefer() {
            if (random.nextBoolean()) {
                affinity.session(
                        1 + random.nextInt(100), random.nextBoolean() ? Affinity.NOBODY : 1 + random.nextInt(replicas));
            }
            random.ints(random.nextInt(5), 1, replicas + 1)
                    .distinct()
                    .forEach(number -> affinity.owner(number, 1 + random.nextInt(1_000)));
        }

        /** What replicas are worth more to the request at hand, worked out as the docs say it. */
        private final class Warm {
            private final PoolLoad pool;
            private int pinned = Affinity.NOBODY;
            private int first = Affinity.NOBODY;
            private int second = Affinity.NOBODY;

            Warm(String model) {
                Candidates candidates = view.current().candidates(model);
                pool = candidates.pool();
                if (affinity.sessionKey() == Affinity.NO_SESSION) return;
                if (stands(view.current().byNumber(affinity.pinned()), model, Standing.RAMPING)) {
                    pinned = affinity.pinned();
                    return;
                }
                int[] places = new int[8];
                int found = candidates.ring().targets(affinity.sessionKey(), places);
                for (int i = 0; i < found && second == Affinity.NOBODY; i++) {
                    ReplicaEntry entry = candidates.entry(places[i]);
                    if (!stands(entry, model, Standing.ROUTABLE)) continue;
                    if (first == Affinity.NOBODY) first = entry.replica().number();
                    else second = entry.replica().number();
                }
            }

            private boolean stands(@Nullable ReplicaEntry entry, String model, Standing worst) {
                return entry != null && entry.replica().models().contains(model) && standing(entry) <= worst.ordinal();
            }

            /** What is pinned to a new replica is kept from it by nothing. */
            int rank(ReplicaEntry entry) {
                int standing = standing(entry);
                boolean itsOwn = entry.replica().number() == pinned && standing == Standing.RAMPING.ordinal();
                return itsOwn ? Standing.ROUTABLE.ordinal() : standing;
            }

            long creditMilli(int number) {
                long mean = pool.meanOwnMilli() + pool.peersFairMilli() + 1_000;
                long place = Math.max(1_000, mean / 20);
                long session = 0;
                if (number == pinned) session = Math.max(16_000, mean / 2) + startingMilli(number);
                else if (number == first) session = place;
                else if (number == second) session = place / 2;
                return Math.max(2_000, mean / 4) * affinity.hitMilli(number) / 1_000 + session;
            }

            private long startingMilli(int number) {
                ReplicaCell cell = view.current().byNumber(number).cell();
                int causes = cell.biasCauses();
                if (!Bias.SLOW_START.in(causes) && !Bias.RAMP.in(causes)) return 0;
                return HotRow.scoreMilli(cell.biasMilli(), cell.weight()) - HotRow.scoreMilli(0, cell.weight());
            }
        }

        /** @param warm null for a strategy that asks for loads only */
        private void check(String model, int standing, long least, @Nullable Warm warm) {
            int at = 0;
            while (out.shortlist().number(at) != out.replica().replica().number()) at++;
            Standing stands = out.shortlist().standing(at);
            picked.merge(stands, 1, Integer::sum);
            assertThat(stands.rank(out.shortlist().warmth(at)))
                    .as("replica %s", out.shortlist().number(at))
                    .isEqualTo(Standing.values()[standing]);
            assertThat(out.reason()).isEqualTo(stands.sound() ? Routing.Reason.STRATEGY : Routing.Reason.PANIC);

            long load = out.shortlist().scoreMilli(at);
            int credit = Warmth.creditMilli(out.shortlist().warmth(at));
            if (credit > 0) warmPicks++;
            assertThat((long) credit)
                    .isCloseTo(
                            warm == null ? 0 : warm.creditMilli(out.shortlist().number(at)), within(2L));
            // Halves and shares are rounded once or twice.
            assertThat(load).isGreaterThanOrEqualTo(least - 2);
            int basis = warm == null ? 0 : 1;
            long mostMedian = mostMedianMilli[basis];
            if (least >= Math.max(LAST_BUCKET_MILLI, 4 * lastMedianMilli.getOrDefault(model + basis, 0L))) {
                beyondLastBucket++;
                return;
            }
            long width = Math.max(FIRST_WIDTH_MILLI, mostMedian / 256) + 2;
            if (stands != Standing.ROUTABLE) width *= EXCLUDED_COARSER;
            if (mostMedian / 256 > FIRST_WIDTH_MILLI) beyondFirstWidth++;
            assertThat(load).isLessThanOrEqualTo(least + width + (warm == null ? 0 : EPSILON_MILLI));
        }

        /** The place of the best one in {@link Standing}, TRIED when nobody is left. */
        private int bestStanding(String model, @Nullable Warm warm) {
            int best = Standing.TRIED.ordinal();
            for (ReplicaEntry entry : view.current().serving(model)) best = Math.min(best, rank(entry, warm));
            return best;
        }

        private long leastMilli(String model, int standing, @Nullable Warm warm) {
            long least = Long.MAX_VALUE;
            for (ReplicaEntry entry : view.current().serving(model)) {
                if (rank(entry, warm) != standing) continue;
                ReplicaCell cell = entry.cell();
                long judged = warm == null
                        ? cell.loadMilli()
                        : scoreMilli(cell) - warm.creditMilli(entry.replica().number());
                least = Math.min(least, judged);
            }
            return least;
        }

        private int rank(ReplicaEntry entry, @Nullable Warm warm) {
            return warm == null ? standing(entry) : warm.rank(entry);
        }

        private static long scoreMilli(ReplicaCell cell) {
            return HotRow.scoreMilli(cell.loadMilli(), cell.weight());
        }

        private int standing(ReplicaEntry entry) {
            if (!entry.cell().candidate()) return Standing.NOT_CANDIDATE.ordinal();
            if (out.hasTried(entry.replica().number())) return Standing.TRIED.ordinal();
            return entry.cell().exclusion(now).ordinal();
        }
    }
}
