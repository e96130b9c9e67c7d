package dev.penstock.relaybench;

import java.util.HashMap;
import java.util.Map;

/** What clients have seen since the rig began to count. Times in milliseconds, of answers with status 200. */
record Counts(
        long answered,
        long events,
        long failed,
        long abandoned,
        double p50Millis,
        double p99Millis,
        double firstP50Millis,
        String lastFailure) {
    private static final double NANOS_PER_MILLI = 1e6;

    static Counts of(String words) {
        Map<String, String> values = new HashMap<>();
        for (String word : words.split(" ", -1)) {
            int equals = word.indexOf('=');
            if (equals > 0) values.put(word.substring(0, equals), word.substring(equals + 1));
        }
        return new Counts(
                number(values, "answered"),
                number(values, "events"),
                number(values, "failed"),
                number(values, "abandoned"),
                number(values, "p50") / NANOS_PER_MILLI,
                number(values, "p99") / NANOS_PER_MILLI,
                number(values, "first50") / NANOS_PER_MILLI,
                values.getOrDefault("lastFailure", "unknown"));
    }

    private static long number(Map<String, String> values, String name) {
        return Long.parseLong(values.getOrDefault(name, "0"));
    }
}
