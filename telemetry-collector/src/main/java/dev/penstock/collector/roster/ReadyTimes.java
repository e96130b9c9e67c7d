package dev.penstock.collector.roster;

import dev.penstock.model.Replica;
import dev.penstock.model.RosterRecord;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Since when replicas have been ready, on this host's monotonic clock, as their records tell. A record may have been under way
 * or in the topic for long, but was never read before it was sent: hence the earliest time that the records of an incarnation
 * give is the closest. Every collector follows them all along, because it may own the roster one day. Used on one context.
 */
public final class ReadyTimes {
    /** Ages above it are all the same; far below what a clock of nanoseconds can hold. */
    private static final long LONGEST_MILLIS = Duration.ofDays(3_650).toMillis();

    private final Map<String, Ready> nameToReady = new HashMap<>();

    private record Ready(String uid, long sinceNanos) {}

    /** A record that the present owner sent, in the order of the topic. */
    public void heard(RosterRecord roster, long nowNanos) {
        Replica replica = roster.replica();
        Long since = roster.gone() ? null : sinceNanos(roster, nowNanos);
        if (since == null) forgotten(replica.name());
        else nameToReady.put(replica.name(), new Ready(replica.uid(), since));
    }

    public void forgotten(String name) {
        nameToReady.remove(name);
    }

    /** What this record says, or what was heard of the same incarnation before; null when neither says anything. */
    public @Nullable Long sinceNanos(RosterRecord roster, long nowNanos) {
        Ready before = nameToReady.get(roster.replica().name());
        Long known = before == null || !before.uid().equals(roster.replica().uid()) ? null : before.sinceNanos();
        Long told = told(roster, nowNanos);
        if (known == null || told == null) return known == null ? told : known;
        return known - told < 0 ? known : told;
    }

    private static @Nullable Long told(RosterRecord roster, long nowNanos) {
        long millis = roster.readyAgeMillis();
        return millis < 0 ? null : nowNanos - Math.min(millis, LONGEST_MILLIS) * 1_000_000;
    }
}
