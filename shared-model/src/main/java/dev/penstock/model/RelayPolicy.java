package dev.penstock.model;

import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How a model's requests are relayed: what they may take, and what is done when a replica fails them.
 *
 * @param deadlineMillis of the whole request; 0 = none
 * @param retryOn what is retried on another replica beside what always is
 * @param retryBudget retries as a part of requests, 0 to 1; never less than one
 * @param commitAfterMillis a client that streams has its answer begun after this long, which gives up retries; 0 = when the
 *     engine begins
 * @param defaultMaxTokens what a request that sets no limit may generate; 0 = what the engine lets it
 * @param split what requests for the model's name go to, by weight; empty = to the model itself
 * @param firstByteMillis how long an engine may take to the first byte of its answer; 0 = as long as it likes
 * @param idleMillis how long an answer that has begun may be silent before it is ended
 */
public record RelayPolicy(
        long deadlineMillis,
        Set<RetryOn> retryOn,
        double retryBudget,
        long commitAfterMillis,
        int defaultMaxTokens,
        List<Split> split,
        long firstByteMillis,
        long idleMillis) {
    /** Bounds of every time that is set. */
    public static final long LEAST_MILLIS = 100;

    public static final long MOST_MILLIS = 24 * 3_600_000L;
    public static final int MOST_DEFAULT_MAX_TOKENS = 10_000_000;
    public static final int MOST_SPLITS = 16;

    public static final RelayPolicy DEFAULT = new RelayPolicy(0, Set.of(), 0.1, 0, 0, List.of(), 0, 60_000);

    public RelayPolicy {
        checkTime("deadlineMillis", deadlineMillis);
        checkTime("commitAfterMillis", commitAfterMillis);
        checkTime("firstByteMillis", firstByteMillis);
        check(
                idleMillis >= LEAST_MILLIS && idleMillis <= MOST_MILLIS,
                "idleMillis",
                idleMillis,
                LEAST_MILLIS + " to " + MOST_MILLIS);
        check(retryBudget >= 0 && retryBudget <= 1, "retryBudget", retryBudget, "0 to 1");
        check(
                defaultMaxTokens >= 0 && defaultMaxTokens <= MOST_DEFAULT_MAX_TOKENS,
                "defaultMaxTokens",
                defaultMaxTokens,
                "0 to " + MOST_DEFAULT_MAX_TOKENS);
        check(split.size() <= MOST_SPLITS, "split", split.size() + " models", "at most " + MOST_SPLITS);
        Set<String> models = new HashSet<>();
        for (Split each : split) check(models.add(each.model()), "split", each.model(), "each model once");
        EnumSet<RetryOn> ordered = EnumSet.noneOf(RetryOn.class);
        ordered.addAll(retryOn);
        retryOn = Collections.unmodifiableSet(ordered);
        split = List.copyOf(split);
    }

    /** A part of the requests for another name. */
    public record Split(String model, int weight) {
        public static final int MOST_WEIGHT = 1_000;

        public Split {
            check(!model.isBlank(), "split", model, "the name of a model");
            check(weight >= 1 && weight <= MOST_WEIGHT, "weight", weight, "1 to " + MOST_WEIGHT);
        }
    }

    /** True when an engine's answer of this status may be asked for again at another replica. */
    public boolean retriesStatus(int status) {
        return switch (status) {
            case 500 -> retryOn.contains(RetryOn.STATUS_500);
            case 502 -> retryOn.contains(RetryOn.STATUS_502);
            case 504 -> retryOn.contains(RetryOn.STATUS_504);
            default -> false;
        };
    }

    private static void checkTime(String name, long millis) {
        boolean sound = millis == 0 || (millis >= LEAST_MILLIS && millis <= MOST_MILLIS);
        check(sound, name, millis, "0, or " + LEAST_MILLIS + " to " + MOST_MILLIS);
    }

    private static void check(boolean sound, String name, Object value, String expected) {
        if (!sound) throw new IllegalArgumentException(name + ": " + value + ", expected " + expected);
    }
}
