package dev.penstock.core.view;

import dev.penstock.model.Header;
import dev.penstock.model.InflightVector;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a router tells the others of its in-flight: what changed since the last vector, and everything that is not zero in
 * each tenth. An unchanged vector is told too, empty: silence means a dead router. One writer.
 */
public final class VectorWriter {
    private static final int TICKS_PER_FULL = 10;

    private final String router;
    private final long incarnation;
    private final Map<Integer, Integer> published = new HashMap<>();
    private long sequence;
    private long tick;

    public VectorWriter(String router, long incarnation) {
        this.router = router;
        this.incarnation = incarnation;
    }

    /**
     * Called each 100 ms.
     *
     * @param arrivals since the start, by pool
     * @param managementUrl told with each full vector, if it is known
     */
    public InflightVector next(
            RosterImage image,
            List<InflightVector.PoolArrivals> arrivals,
            @Nullable String managementUrl,
            long nowNanos) {
        boolean full = tick++ % TICKS_PER_FULL == 0;
        int size = image.entries().size();
        int[] numbers = new int[size];
        int[] counts = new int[size];
        int used = 0;
        if (full) published.clear();
        for (ReplicaEntry entry : image.entries()) {
            int number = entry.replica().number();
            int count = entry.cell().own();
            boolean say = full ? count != 0 : published.getOrDefault(number, 0) != count;
            if (!say) continue;
            numbers[used] = number;
            counts[used++] = count;
            published.put(number, count);
        }
        return new InflightVector(
                new Header(router, incarnation, ++sequence, Header.NO_EPOCH, nowNanos),
                image.version(),
                full,
                Arrays.copyOf(numbers, used),
                Arrays.copyOf(counts, used),
                arrivals,
                full ? managementUrl : null);
    }
}
