package dev.penstock.core.capacity;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the replicas of one pool can do, by what they did. Each second: {@link #observe} for every replica, then
 * {@link #settle}. Engines do more the more they have in flight, up to a point:
 *
 * <pre>
 *   X = C B / (B + h)          work units per second with B in flight; C when full, half of C at h in flight
 *   utilisation = X / C = B / (B + h)
 * </pre>
 *
 * Two numbers come of it:
 *
 * <ul>
 *   <li>{@link #throughput}, C: for people, and for whoever plans capacity,
 *   <li>{@link #capacityMilli}, h over the middle of the pool: what routers divide load by. Replicas with B in proportion to h
 *       are equally utilised. Dividing by C would be the same where a fast replica does more at a time (twice the C, twice the
 *       h), and up to 16 points off where it does each thing in less time (twice the C, the same h).
 * </ul>
 *
 * <p>C of a replica ({@link Speed}) is remembered for 120 s of traffic, and known anew when it changes ({@link ChangeWatch}):
 * memory alone would need 2.3 times its length to come within a tenth of a twofold step, and a memory short enough for that
 * (25 s) is 2.2 times as noisy. What there is of it is drawn to the mean of its hardware class (without labels all are one
 * class) as if that were 20 s of its own, but the less the more its own evidence speaks against that: nothing at three
 * standard errors. A fixed weight would have held a replica that halved its speed 20 % off for minutes, and replicas of two
 * unlabelled speeds off for ever.
 *
 * <p>h ({@link SaturationFit}) is the pool's, unless a class or a replica is known to be unlike: each is drawn to the one
 * above it, and moved by what the windows tell for the weight that they have against noise ({@link FitEvidence}). A newcomer
 * so begins like its class, however its in-flight swings while it is new; a ratio of its own sums told four like engines
 * capacities of 0.28 to 2.7 of their mean. It can be learned only from in-flight that varies, and is remembered for three
 * hours; until then all have the same one, and capacity decides nothing.
 *
 * <p>A mix of requests that shifts (longer prompts, say) makes all replicas look faster or slower alike. That is followed for
 * the pool as a whole ({@link CommonPace}) and is no change of anybody. One thread.
 */
public final class CapacityLearner {
    /** What became of an observation. */
    public enum Observed {
        LEARNED,
        /** Too little in flight to tell anything by. */
        IDLE,
        /** Not a number, negative (counters that began anew), or over no time. */
        REFUSED
    }

    /** Fewer in flight say more of the requests than of the replica. */
    static final double LEAST_INFLIGHT = 0.5;

    private static final long LONGEST_NANOS = 60_000_000_000L;
    private static final double MEMORY_SECONDS = 120;
    private static final double FIT_MEMORY_SECONDS = 10_800;
    private static final double RESTARTED_KEEPS = 0.2;

    private static final double CLASS_COUNTS_SECONDS = 20;
    private static final double STRANGE_ERRORS = 3;

    private static final double FIRST_NOISE = 0.3;
    private static final double NOISE_SECONDS = 60;

    /** Of a replica whose in-flight nobody has seen vary: any will do, it is the same for all. */
    private static final double FIRST_HALF = 12;

    /** How far halves may well be from what they are drawn to, as a share ({@link FitEvidence}): of the pool from the guess, */
    private static final double POOL_SPREAD = 1;
    /** of a class from the pool, */
    private static final double CLASS_SPREAD = 0.25;
    /** and of a replica from its class. */
    private static final double REPLICA_SPREAD = 0.1;

    /** No replica is taken to be more than so many times better or worse than the median. */
    private static final double FARTHEST = 4;

    private static final double SLEW_PER_SECOND = 0.05;
    private static final double IDLE_SECONDS = 10;

    private final Map<Integer, ReplicaCapacity> numberToReplica = new TreeMap<>();
    private final Map<String, HardwareClass> nameToClass = new HashMap<>();
    /** Of one replica at a time. */
    private final FitEvidence own = new FitEvidence();

    private final HardwareClass pool = new HardwareClass(FIRST_HALF);
    private final CommonPace pace = new CommonPace();
    private double middle = FIRST_HALF;
    /** It has been that of replicas, and not a guess. */
    private boolean settled;
    /** Standard deviation of the work of one second of full use over its mean. */
    private double noise = FIRST_NOISE;

    /**
     * What one replica did of late. The first time, it has joined.
     *
     * @param hardwareClass its label, or empty
     * @param work units done ({@link WorkMeter})
     * @param meanInflight over that time, not at an instant
     */
    public Observed observe(int number, String hardwareClass, double work, double meanInflight, long dtNanos) {
        boolean sound = number >= 0 && amount(work) && amount(meanInflight) && dtNanos > 0 && dtNanos <= LONGEST_NANOS;
        if (!sound) return Observed.REFUSED;
        ReplicaCapacity replica = numberToReplica.get(number);
        if (replica == null || !replica.hardwareClass.equals(hardwareClass)) {
            replica = new ReplicaCapacity(number, hardwareClass);
            numberToReplica.put(number, replica);
        }
        replica.tick(work, meanInflight, dtNanos / 1e9);
        return meanInflight < LEAST_INFLIGHT ? Observed.IDLE : Observed.LEARNED;
    }

    private static boolean amount(double value) {
        return value >= 0 && value < Double.POSITIVE_INFINITY;
    }

    /** Seconds of full use that its throughput rests on; 0 = nothing is known of it. */
    double evidenceSeconds(int number) {
        ReplicaCapacity replica = numberToReplica.get(number);
        return replica == null ? 0 : replica.speed.seconds;
    }

    /** Its engine began anew, maybe as another one: what was known counts a fifth. */
    public void restarted(int number) {
        ReplicaCapacity replica = numberToReplica.get(number);
        if (replica != null) replica.fade(RESTARTED_KEEPS, RESTARTED_KEEPS);
    }

    /** It is gone for good: numbers are never given again. */
    public void forget(int number) {
        numberToReplica.remove(number);
    }

    /**
     * What others have learned of it before: its half, and so that of its class, starts with this and not with a guess. Later
     * evidence counts as much against it as it would against the guess.
     *
     * @param half requests in flight at which it does half of what it can
     */
    public void expect(int number, String hardwareClass, double half) {
        if (number < 0 || !amount(half) || half == 0) {
            throw new IllegalArgumentException("capacity of replica " + number + ": half " + half
                    + ", expected a replica's number and requests in flight above 0");
        }
        ReplicaCapacity replica = numberToReplica.get(number);
        if (replica == null || !replica.hardwareClass.equals(hardwareClass)) {
            replica = new ReplicaCapacity(number, hardwareClass);
            numberToReplica.put(number, replica);
        }
        replica.expect(half);
    }

    /** Makes something of what was observed since the last time. */
    public void settle(long dtNanos) {
        if (dtNanos <= 0 || dtNanos > LONGEST_NANOS) {
            throw new IllegalArgumentException("capacity: settled after " + dtNanos + " ns, expected up to a minute");
        }
        double seconds = dtNanos / 1e9;
        double common = pace.follow(numberToReplica.values(), seconds);
        for (ReplicaCapacity each : numberToReplica.values()) learn(each, common, seconds);
        conclude(seconds);
    }

    /**
     * What its load is to be divided by, in thousandths of the middle of the pool, 250 to 4000; 0 = nothing was ever observed of
     * it. Moves by 5 % per second at most, so that it draws no crowd.
     *
     * <p>A replica that had nothing to do for 10 s is given just enough for one more request to be best placed there, however
     * slow it was: so that its estimate stays alive. It has its own number back with the next tick.
     */
    public int capacityMilli(int number) {
        ReplicaCapacity replica = numberToReplica.get(number);
        return replica == null ? 0 : (int) Math.round(1_000 * replica.published);
    }

    /**
     * The same in thousandths of a request in flight: what a learner can tell that knows a part of the pool only, as those of
     * several collectors do. Readers divide by the mean of all.
     */
    public int inflightMilli(int number) {
        ReplicaCapacity replica = numberToReplica.get(number);
        return replica == null ? 0 : (int) Math.round(1_000 * replica.published * middle);
    }

    /** What {@link #inflightMilli} is of one that is as the middle of the pool; 0 before anything was settled. */
    public int middleMilli() {
        return settled && !numberToReplica.isEmpty() ? (int) Math.round(1_000 * middle) : 0;
    }

    /** Whether these are more than what was learned of it, because it had nothing to do. */
    public boolean explored(int number) {
        ReplicaCapacity replica = numberToReplica.get(number);
        return replica != null && replica.published > replica.divisor;
    }

    /** Work units per second when it is full; 0 = nobody of the pool has done anything. */
    public double throughput(int number) {
        ReplicaCapacity replica = numberToReplica.get(number);
        return replica == null ? 0 : replica.throughput;
    }

    /** Requests in flight at which it does half of that. */
    public double half(int number) {
        ReplicaCapacity replica = numberToReplica.get(number);
        return replica == null ? 0 : replica.half;
    }

    private void learn(ReplicaCapacity each, double common, double seconds) {
        if (each.half == 0) each.half = classOf(each).half;
        each.fade(Math.exp(-seconds / MEMORY_SECONDS), Math.exp(-seconds / FIT_MEMORY_SECONDS));
        double effort = each.effortSeconds();
        double expected = common * each.throughput * effort;
        if (expected > 0) {
            double off = Math.clamp(each.work() / expected - 1, -1, 3);
            double share = 1 - Math.exp(-seconds / (NOISE_SECONDS * numberToReplica.size()));
            noise = Math.clamp(Math.sqrt(noise * noise * (1 - share) + share * off * off * effort), 0.02, 3);
        }
        each.learn(expected, noise);
    }

    private void conclude(double seconds) {
        if (numberToReplica.isEmpty()) return;
        learnHalves();
        learnMeans();
        placeAmongClasses();
        publish(seconds);
    }

    private HardwareClass classOf(ReplicaCapacity each) {
        return nameToClass.computeIfAbsent(each.hardwareClass, name -> new HardwareClass(pool.half));
    }

    private void learnHalves() {
        pool.clear();
        nameToClass.values().forEach(HardwareClass::clear);
        for (ReplicaCapacity each : numberToReplica.values()) {
            classOf(each).addFit(each);
            pool.addFit(each);
        }
        nameToClass.values().removeIf(HardwareClass::empty);
        pool.learnHalf(pool.told(FIRST_HALF), POOL_SPREAD, Double.POSITIVE_INFINITY);
        for (HardwareClass each : nameToClass.values()) each.learnHalf(each.told(pool.half), CLASS_SPREAD, FARTHEST);
        for (ReplicaCapacity each : numberToReplica.values()) {
            HardwareClass its = classOf(each);
            double prior = each.told == 0 ? its.half : its.since(each.told);
            own.clear();
            each.tell(own);
            each.half = own.half(prior, REPLICA_SPREAD, FARTHEST);
        }
    }

    private void learnMeans() {
        for (ReplicaCapacity each : numberToReplica.values()) {
            double own = each.ownThroughput();
            if (own <= 0) continue;
            double weight = each.speed.seconds / (each.speed.seconds + CLASS_COUNTS_SECONDS);
            classOf(each).addLog(Math.log(own), weight);
            pool.addLog(Math.log(own), weight);
        }
    }

    private void placeAmongClasses() {
        if (!pool.meanKnown()) return;
        for (ReplicaCapacity each : numberToReplica.values()) {
            HardwareClass its = classOf(each);
            each.throughput = place(each, its.meanKnown() ? its.meanLog() : pool.meanLog());
        }
        double median = medianThroughput();
        for (ReplicaCapacity each : numberToReplica.values()) {
            each.throughput = Math.clamp(each.throughput, median / FARTHEST, median * FARTHEST);
        }
    }

    private double place(ReplicaCapacity each, double meanLog) {
        double own = each.ownThroughput();
        if (own <= 0) return Math.exp(meanLog);
        double seconds = each.speed.seconds;
        double log = Math.log(own);
        double errors = (log - meanLog) * Math.sqrt(seconds) / noise;
        double like = Math.max(0, 1 - errors * errors / (STRANGE_ERRORS * STRANGE_ERRORS));
        double counts = CLASS_COUNTS_SECONDS * like * like;
        return Math.exp((seconds * log + counts * meanLog) / (seconds + counts));
    }

    private void publish(double seconds) {
        middle = middleHalf();
        settled = true;
        double step = Math.exp(SLEW_PER_SECOND * seconds);
        double bestScore = Double.POSITIVE_INFINITY;
        double most = 0;
        for (ReplicaCapacity each : numberToReplica.values()) {
            double wanted = Math.clamp(each.half / middle, 1 / FARTHEST, FARTHEST);
            each.divisor = each.divisor == 0 ? wanted : Math.clamp(wanted, each.divisor / step, each.divisor * step);
            bestScore = Math.min(bestScore, (each.lastInflight + 1) / each.divisor);
            most = Math.max(most, each.divisor);
        }
        for (ReplicaCapacity each : numberToReplica.values()) {
            boolean idle = each.idleSeconds >= IDLE_SECONDS;
            each.published = idle ? Math.clamp(1 / bestScore, each.divisor, most) : each.divisor;
        }
    }

    /** The geometric mean: where half of a pool is fast, the median would jump with each that joins. */
    private double middleHalf() {
        double logs = 0;
        for (ReplicaCapacity each : numberToReplica.values()) logs += Math.log(each.half);
        return Math.exp(logs / numberToReplica.size());
    }

    private double medianThroughput() {
        double[] values = new double[numberToReplica.size()];
        int count = 0;
        for (ReplicaCapacity each : numberToReplica.values()) values[count++] = each.throughput;
        return median(values, count);
    }

    static double median(double[] values, int count) {
        Arrays.sort(values, 0, count);
        return (values[(count - 1) / 2] + values[count / 2]) / 2;
    }
}
