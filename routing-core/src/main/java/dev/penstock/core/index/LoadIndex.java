package dev.penstock.core.index;

import java.util.Arrays;

/**
 * Slots 0..n-1, each in one bucket of one class or nowhere. Classes come in order (class 0 first), within one the lower
 * bucket first; within a bucket there is no order. Put, remove and the lowest few cost O(1): a bitmap of occupied buckets,
 * a bitmap of its words, and buckets that fill the gap a removed slot leaves with their last one.
 *
 * <p>Not thread-safe.
 */
public final class LoadIndex {
    private static final int NOWHERE = -1;
    private static final int LEAST_CAPACITY = 8;
    private static final int MOST_FIRST_CAPACITY = 512;
    private static final int SLOTS_PER_CAPACITY = 32;
    private static final int[] EMPTY = {};

    private final int[] firstBucket;
    private final int[] classSize;
    private final int[][] slots;
    private final int[] size;
    private final long[] occupied;
    private final long[] occupiedWords;
    /** Of each slot: its bucket (high 32 bits, or {@link #NOWHERE}) and its place in there (low). */
    private final long[] placeOf;
    /** What a bucket begins with: about what it will hold, so that it seldom grows. */
    private final int leastCapacity;

    /** @param buckets of each class, in order of the classes */
    public LoadIndex(int slotCount, int... buckets) {
        firstBucket = new int[buckets.length + 1];
        for (int i = 0; i < buckets.length; i++) firstBucket[i + 1] = firstBucket[i] + buckets[i];
        int all = firstBucket[buckets.length];
        classSize = new int[buckets.length];
        slots = new int[all][];
        Arrays.fill(slots, EMPTY);
        size = new int[all];
        occupied = new long[(all >>> 6) + 1];
        occupiedWords = new long[(occupied.length >>> 6) + 1];
        leastCapacity = Math.clamp(slotCount / SLOTS_PER_CAPACITY, LEAST_CAPACITY, MOST_FIRST_CAPACITY);
        placeOf = new long[slotCount];
        Arrays.fill(placeOf, (long) NOWHERE << 32);
    }

    /** Puts a slot where it belongs, from wherever it was. A bucket beyond the class's last one means the last one. */
    public void put(int slot, int inClass, long bucket) {
        int last = firstBucket[inClass + 1] - firstBucket[inClass] - 1;
        int target = firstBucket[inClass] + (int) Math.clamp(bucket, 0, last);
        int before = bucket(slot);
        if (before == target) return;
        if (before != NOWHERE) take(slot, before);
        int[] list = slots[target];
        int at = size[target]++;
        if (at == list.length) slots[target] = list = Arrays.copyOf(list, Math.max(leastCapacity, 2 * at));
        list[at] = slot;
        if (at == 0) {
            occupied[target >>> 6] |= 1L << target;
            occupiedWords[target >>> 12] |= 1L << (target >>> 6);
        }
        placeOf[slot] = (long) target << 32 | at;
        classSize[inClass]++;
    }

    public void remove(int slot) {
        int bucket = bucket(slot);
        if (bucket != NOWHERE) take(slot, bucket);
    }

    private int bucket(int slot) {
        return (int) (placeOf[slot] >> 32);
    }

    private void take(int slot, int bucket) {
        int[] list = slots[bucket];
        int last = list[--size[bucket]];
        int at = (int) placeOf[slot];
        list[at] = last;
        placeOf[last] = (long) bucket << 32 | at;
        placeOf[slot] = (long) NOWHERE << 32;
        classSize[classOf(bucket)]--;
        if (size[bucket] > 0) return;
        int word = bucket >>> 6;
        occupied[word] &= ~(1L << bucket);
        if (occupied[word] == 0) occupiedWords[word >>> 6] &= ~(1L << word);
    }

    /**
     * The lowest slots, class by class and bucket by bucket; of a bucket that is not wanted whole, neighbours from a place
     * that the draw decides, so that each has the same chance.
     *
     * @return how many were written to {@code out}: {@code most}, or as many as there are
     */
    public int lowest(int[] out, int most, long draw) {
        int found = 0;
        for (int bucket = next(0); bucket >= 0 && found < most; bucket = next(bucket + 1)) {
            int[] list = slots[bucket];
            int there = size[bucket];
            int take = Math.min(there, most - found);
            int from = take == there ? 0 : (int) ((draw >>> 32) * there >>> 32);
            for (int i = 0; i < take; i++) {
                int at = from + i;
                out[found++] = list[at < there ? at : at - there];
            }
        }
        return found;
    }

    /** The first occupied bucket at or after this one, or -1. */
    private int next(int bucket) {
        int word = bucket >>> 6;
        if (word >= occupied.length) return -1;
        long here = occupied[word] & (-1L << bucket);
        if (here != 0) return (word << 6) + Long.numberOfTrailingZeros(here);
        for (int above = (word + 1) >>> 6; above < occupiedWords.length; above++) {
            long words = occupiedWords[above];
            if (above == (word + 1) >>> 6) words &= -1L << (word + 1);
            if (words == 0) continue;
            int found = (above << 6) + Long.numberOfTrailingZeros(words);
            return (found << 6) + Long.numberOfTrailingZeros(occupied[found]);
        }
        return -1;
    }

    /** The bucket, within its class, of the slot in the middle of a class; 0 of an empty one. O(buckets). */
    public int medianBucket(int inClass) {
        int before = 0;
        int middle = (classSize[inClass] - 1) / 2;
        int end = firstBucket[inClass + 1];
        for (int bucket = next(firstBucket[inClass]); bucket >= 0 && bucket < end; bucket = next(bucket + 1)) {
            before += size[bucket];
            if (before > middle) return bucket - firstBucket[inClass];
        }
        return 0;
    }

    public int classSize(int inClass) {
        return classSize[inClass];
    }

    /** The class of a slot, or -1 when it is nowhere. */
    public int classOfSlot(int slot) {
        int bucket = bucket(slot);
        return bucket == NOWHERE ? NOWHERE : classOf(bucket);
    }

    /** The bucket of a slot within its class, or -1 when it is nowhere. */
    public int bucketOfSlot(int slot) {
        int bucket = bucket(slot);
        return bucket == NOWHERE ? NOWHERE : bucket - firstBucket[classOf(bucket)];
    }

    private int classOf(int bucket) {
        int inClass = 0;
        while (bucket >= firstBucket[inClass + 1]) inClass++;
        return inClass;
    }

    /** Gives memory back that buckets took when they were fuller: what they hold stays. To be called once in a while. */
    public void trim() {
        for (int bucket = 0; bucket < slots.length; bucket++) {
            if (slots[bucket].length <= leastCapacity || size[bucket] * 4 > slots[bucket].length) continue;
            slots[bucket] = Arrays.copyOf(slots[bucket], Math.max(leastCapacity, 2 * size[bucket]));
        }
    }
}
