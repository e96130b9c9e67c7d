package dev.penstock.core.view;

import static dev.penstock.core.view.SourceFleet.MS;

import dev.penstock.model.Header;
import dev.penstock.model.InflightVector;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One incarnation of another router, which tells what it has in flight as router-svc's InflightPublisher does. */
final class SourcePeer {
    static final long PERIOD = 100 * MS;
    private static final int TICKS_PER_FULL = 10;

    final Map<Integer, Integer> inFlight = new TreeMap<>();
    private final Map<Integer, Integer> published = new TreeMap<>();
    private final long incarnation;
    private long sequence;

    SourcePeer(long incarnation) {
        this.incarnation = incarnation;
    }

    /** Called each 100 ms. */
    InflightVector tick(long now) {
        boolean full = sequence % TICKS_PER_FULL == 0;
        if (full) published.clear();
        Map<Integer, Integer> told = new TreeMap<>(inFlight);
        told.entrySet().removeIf(each -> each.getValue().equals(published.getOrDefault(each.getKey(), 0)));
        published.putAll(told);
        Header header = new Header(
                "router-1", incarnation, ++sequence, Header.NO_EPOCH, now + FaultyLink.clockOffset(incarnation));
        return new InflightVector(header, 1, full, ints(told.keySet()), ints(told.values()), List.of());
    }

    private static int[] ints(Collection<Integer> values) {
        return values.stream().mapToInt(Integer::intValue).toArray();
    }
}
