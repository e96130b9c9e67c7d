package dev.penstock.core.session;

import java.util.stream.IntStream;

/**
 * Where a session without a pin goes, alike on every router that has the same roster. Each replica has {@link #POINTS_EACH}
 * points on a ring of 2^64; a key looks from {@link #PROBES} places of the ring for the next point, and the nearer a point
 * was found the better (multi-probe consistent hashing, Appleton and O'Reilly 2015). The distances even out what the points
 * leave uneven: of 2,000 replicas the busiest is the first target of 1.2 times the mean, where a plain ring of as many
 * points gives it 3 times.
 *
 * <p>A replica that comes takes 1/N of the keys and changes the first target of no others; one that goes leaves its own to
 * their second targets, which are spread over all.
 *
 * <p>The next point is found by a table over the ring's upper bits, with about a point per entry: the cost does not grow
 * with the ring. Immutable.
 */
public final class PlacementRing {
    /** Places of the ring that a key looks from. */
    static final int PROBES = 8;

    /** One leaves a replica in ten nearly without keys, eight even out little more. */
    static final int POINTS_EACH = 4;

    /** The most targets that a key has. */
    public static final int MOST_TARGETS = 8;

    private static final int FEWEST_BITS = 1;
    private static final int MOST_BITS = 20;

    private final int size;
    private final long[] points;
    private final int[] positions;
    private final int[] starts;
    private final int shift;

    private PlacementRing(int size, long[] points, int[] positions, int[] starts, int shift) {
        this.size = size;
        this.points = points;
        this.positions = positions;
        this.starts = starts;
        this.shift = shift;
    }

    /** @param numbers the replicas', each once; targets are positions in this array */
    public static PlacementRing of(int[] numbers) {
        int all = numbers.length * POINTS_EACH;
        long[] points = new long[all];
        for (int i = 0; i < all; i++) points[i] = point(numbers[i / POINTS_EACH], i % POINTS_EACH);
        int[] order = order(points);
        long[] sorted = new long[all];
        int[] positions = new int[all];
        for (int i = 0; i < all; i++) {
            sorted[i] = points[order[i]];
            positions[i] = order[i] / POINTS_EACH;
        }
        int bits = Math.clamp(Integer.SIZE - Integer.numberOfLeadingZeros(all), FEWEST_BITS, MOST_BITS);
        int shift = Long.SIZE - bits;
        return new PlacementRing(numbers.length, sorted, positions, starts(sorted, bits, shift), shift);
    }

    public int size() {
        return size;
    }

    /**
     * The key's first targets, best first.
     *
     * @param outSlots filled with positions in the array the ring was made of, each once; at most {@link #MOST_TARGETS} are used
     * @return how many there are: as many as were asked for, unless the ring has fewer replicas
     */
    public int targets(long key, int[] outSlots) {
        int most = Math.min(Math.min(outSlots.length, MOST_TARGETS), size);
        if (most == 0) return 0;
        int found = 0;
        while (found < most) {
            int nearest = nearest(key, outSlots, found);
            if (nearest < 0) break;
            outSlots[found++] = nearest;
        }
        if (found < most) fill(key, outSlots, found, most);
        return most;
    }

    /** Of the replicas whose points the probes find the nearest that is not taken; -1 = all are. */
    private int nearest(long key, int[] taken, int many) {
        int best = -1;
        long least = 0;
        for (int probe = 0; probe < PROBES; probe++) {
            long from = SessionKey.mixed(key + probe);
            int at = next(from);
            long distance = points[at] - from;
            if (best >= 0 && Long.compareUnsigned(distance, least) >= 0 || has(taken, many, positions[at])) continue;
            best = positions[at];
            least = distance;
        }
        return best;
    }

    /** With those that follow on the ring: where there are few replicas, probes find the same ones. */
    private void fill(long key, int[] taken, int many, int most) {
        int found = many;
        for (int at = next(SessionKey.mixed(key)); found < most; at = at + 1 == points.length ? 0 : at + 1) {
            if (!has(taken, found, positions[at])) taken[found++] = positions[at];
        }
    }

    /** The first point at or after this place, going round. */
    private int next(long from) {
        int at = starts[(int) (from >>> shift)];
        while (at < points.length && Long.compareUnsigned(points[at], from) < 0) at++;
        return at == points.length ? 0 : at;
    }

    private static boolean has(int[] taken, int many, int position) {
        for (int i = 0; i < many; i++) if (taken[i] == position) return true;
        return false;
    }

    private static long point(int number, int copy) {
        return SessionKey.mixed(~SessionKey.mixed((long) number * POINTS_EACH + copy));
    }

    /** Indexes in the order of their points; no two points are equal. */
    private static int[] order(long[] points) {
        return IntStream.range(0, points.length)
                .boxed()
                .sorted((a, b) -> Long.compareUnsigned(points[a], points[b]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** For each value of the upper bits the first point that has it or more. */
    private static int[] starts(long[] points, int bits, int shift) {
        int[] starts = new int[1 << bits];
        int at = 0;
        for (int i = 0; i < starts.length; i++) {
            while (at < points.length && (points[at] >>> shift) < i) at++;
            starts[i] = at;
        }
        return starts;
    }
}
