package dev.penstock.core.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Against a model that keeps a set per place: 40 shapes of 25,000 random operations each, a million in all. */
class LoadIndexProperties {
    private static final int SHAPES = 40;
    private static final int OPERATIONS = 25_000;
    private static final int DRAWS = 100_000;

    /** More slots than buckets and the other way round, one bucket only, and more buckets than one summary word covers. */
    record Shape(int slots, List<Integer> buckets) {}

    @Provide
    Arbitrary<Shape> shapes() {
        Arbitrary<Integer> buckets = Arbitraries.oneOf(
                Arbitraries.integers().between(1, 3),
                Arbitraries.integers().between(60, 70),
                Arbitraries.integers().between(1, 5_000));
        Arbitrary<Integer> slots = Arbitraries.oneOf(
                Arbitraries.integers().between(1, 3), Arbitraries.integers().between(4, 400));
        return Combinators.combine(slots, buckets.list().ofMinSize(1).ofMaxSize(5))
                .as(Shape::new);
    }

    @Property(tries = SHAPES, seed = "1")
    void is_what_a_sorted_map_of_sets_is(@ForAll("shapes") Shape shape, @ForAll long seed) {
        Scene scene = new Scene(shape, new SplittableRandom(seed));

        for (int i = 0; i < OPERATIONS; i++) scene.step();

        scene.checkAll();
    }

    @Property(tries = 20, seed = "1")
    void trimming_changes_nothing_that_is_seen(@ForAll("shapes") Shape shape, @ForAll long seed) {
        Scene scene = new Scene(shape, new SplittableRandom(seed));
        for (int i = 0; i < 2_000; i++) scene.put();
        // Many leave: what they had room in is given back.
        for (int slot = 0; slot < shape.slots(); slot++) if (slot % 8 != 0) scene.remove(slot);
        int[] before = scene.lowest(shape.slots(), seed);

        scene.index.trim();

        assertThat(scene.lowest(shape.slots(), seed)).isEqualTo(before);
        scene.checkAll();
        for (int i = 0; i < 2_000; i++) scene.step();
        scene.checkAll();
    }

    @Example
    void each_slot_of_a_bucket_is_as_likely_to_be_the_one() {
        chances_are_even(100, 0, 1);
    }

    @Example
    void each_slot_of_a_bucket_is_as_likely_to_be_among_the_few() {
        chances_are_even(100, 0, 7);
    }

    @Example
    void each_slot_of_a_bucket_is_as_likely_to_fill_up_what_lower_ones_leave() {
        chances_are_even(37, 3, 8);
    }

    /** All {@code lower} slots are always there; the rest of {@code most} is drawn from the bucket above. */
    private static void chances_are_even(int inBucket, int lower, int most) {
        SplittableRandom random = new SplittableRandom(11);
        LoadIndex index = new LoadIndex(inBucket + lower, 64, 64);
        for (int slot = 0; slot < inBucket; slot++) index.put(slot, 1, 40);
        // Places within the bucket are not the order of the slots.
        for (int i = 0; i < 1_000; i++) {
            int slot = random.nextInt(inBucket);
            index.remove(slot);
            index.put(slot, 1, 40);
        }
        for (int slot = 0; slot < lower; slot++) index.put(inBucket + slot, 0, slot);
        int[] seen = new int[inBucket + lower];
        int[] out = new int[most];

        for (int i = 0; i < DRAWS; i++) {
            assertThat(index.lowest(out, most, random.nextLong())).isEqualTo(most);
            for (int slot : out) seen[slot]++;
        }

        double chance = (double) (most - lower) / inBucket;
        double fiveSigma = 5 * Math.sqrt(DRAWS * chance * (1 - chance));
        for (int slot = 0; slot < inBucket; slot++) {
            assertThat(Math.abs(seen[slot] - DRAWS * chance))
                    .as("slot %s", slot)
                    .isLessThan(fiveSigma);
        }
        for (int slot = 0; slot < lower; slot++)
            assertThat(seen[inBucket + slot]).isEqualTo(DRAWS);
    }

    /** The index and its model, side by side. */
    private static final class Scene {
        private static final int NOWHERE = -1;

        private final SplittableRandom random;
        private final int[] buckets;
        private final int[] firstBucket;
        private final LoadIndex index;
        /** Place, counted through all classes, to the slots that are there. */
        private final TreeMap<Integer, Set<Integer>> model = new TreeMap<>();

        private final int[] placeOf;
        private final int[] classSize;
        private final int[] out;

        Scene(Shape shape, SplittableRandom random) {
            this.random = random;
            buckets = shape.buckets().stream().mapToInt(Integer::intValue).toArray();
            firstBucket = new int[buckets.length];
            for (int i = 1; i < buckets.length; i++) firstBucket[i] = firstBucket[i - 1] + buckets[i - 1];
            index = new LoadIndex(shape.slots(), buckets);
            placeOf = new int[shape.slots()];
            Arrays.fill(placeOf, NOWHERE);
            classSize = new int[buckets.length];
            out = new int[shape.slots() + 8];
        }

        void step() {
            int what = random.nextInt(100);
            if (what < 50) put();
            else if (what < 75) remove(random.nextInt(placeOf.length));
            else if (what < 99) checkLowest(random.nextInt(1, 17));
            else {
                if (random.nextInt(8) == 0) index.trim();
                checkMedians();
            }
        }

        void put() {
            int slot = random.nextInt(placeOf.length);
            int inClass = random.nextInt(buckets.length);
            // Some close to each other, some anywhere, some beyond either end.
            long bucket =
                    switch (random.nextInt(10)) {
                        case 0 -> -random.nextLong(1L << 40);
                        case 1 -> random.nextLong(1L << 40);
                        case 2, 3, 4 -> random.nextInt(Math.min(4, buckets[inClass]));
                        default -> random.nextInt(buckets[inClass]);
                    };
            index.put(slot, inClass, bucket);
            leave(slot);
            placeOf[slot] = firstBucket[inClass] + Math.clamp(bucket, 0, buckets[inClass] - 1);
            model.computeIfAbsent(placeOf[slot], place -> new HashSet<>()).add(slot);
            classSize[inClass]++;
        }

        void remove(int slot) {
            index.remove(slot);
            leave(slot);
        }

        private void leave(int slot) {
            int place = placeOf[slot];
            if (place == NOWHERE) return;
            Set<Integer> there = model.get(place);
            there.remove(slot);
            if (there.isEmpty()) model.remove(place);
            placeOf[slot] = NOWHERE;
            classSize[classOf(place)]--;
        }

        private int classOf(int place) {
            int inClass = 0;
            while (inClass + 1 < buckets.length && place >= firstBucket[inClass + 1]) inClass++;
            return inClass;
        }

        int[] lowest(int most, long draw) {
            return Arrays.copyOf(out, index.lowest(out, most, draw));
        }

        /** Nobody twice, and the places are those of the k lowest, in order: the first is the minimum. */
        private void checkLowest(int most) {
            int[] found = lowest(most, random.nextLong());
            int[] places = Arrays.stream(found).map(slot -> placeOf[slot]).toArray();
            assertThat(Arrays.stream(found).distinct().count()).isEqualTo(found.length);
            if (!Arrays.equals(places, lowestPlaces(most))) assertThat(places).isEqualTo(lowestPlaces(most));
        }

        private int[] lowestPlaces(int most) {
            List<Integer> places = new ArrayList<>();
            for (Map.Entry<Integer, Set<Integer>> each : model.entrySet()) {
                for (int i = 0; i < each.getValue().size() && places.size() < most; i++) places.add(each.getKey());
                if (places.size() == most) break;
            }
            return places.stream().mapToInt(Integer::intValue).toArray();
        }

        private void checkMedians() {
            for (int inClass = 0; inClass < buckets.length; inClass++) {
                assertThat(index.classSize(inClass)).isEqualTo(classSize[inClass]);
                assertThat(index.medianBucket(inClass)).as("class %s", inClass).isEqualTo(median(inClass));
            }
        }

        /** The lower one of two middles. */
        private int median(int inClass) {
            int[] sorted = Arrays.stream(placeOf)
                    .filter(place -> place != NOWHERE && classOf(place) == inClass)
                    .map(place -> place - firstBucket[inClass])
                    .sorted()
                    .toArray();
            return sorted.length == 0 ? 0 : sorted[(sorted.length - 1) / 2];
        }

        void checkAll() {
            checkMedians();
            checkLowest(out.length);
            for (int slot = 0; slot < placeOf.length; slot++) {
                int place = placeOf[slot];
                assertThat(index.classOfSlot(slot)).isEqualTo(place == NOWHERE ? NOWHERE : classOf(place));
                assertThat(index.bucketOfSlot(slot))
                        .isEqualTo(place == NOWHERE ? NOWHERE : place - firstBucket[classOf(place)]);
            }
        }
    }
}
