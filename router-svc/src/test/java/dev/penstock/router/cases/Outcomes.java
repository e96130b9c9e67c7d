package dev.penstock.router.cases;

import java.util.Map;
import java.util.TreeMap;

/** How many attempts ended how; outcomes that nobody had are not in it. */
public record Outcomes(Map<String, Long> counts) {
    public Outcomes since(Outcomes before) {
        Map<String, Long> difference = new TreeMap<>();
        counts.forEach((outcome, count) -> {
            long more = count - before.of(outcome);
            if (more != 0) difference.put(outcome, more);
        });
        return new Outcomes(difference);
    }

    public long of(String outcome) {
        return counts.getOrDefault(outcome, 0L);
    }

    long all() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Those that count against a replica. */
    public long failures() {
        return of("replica_error") + of("incomplete_stream") + of("stalled");
    }
}
