package dev.penstock.core.view;

import dev.penstock.model.Sample;
import dev.penstock.model.Shards;
import java.util.ArrayList;
import java.util.List;

/**
 * What the engines are really doing. Every reading is another version, told by its values, so that what a view shows can be
 * traced to the time it was true. Times are nanoseconds since the scenario began.
 */
final class SourceFleet {
    static final long MS = 1_000_000;
    private static final int[] INTERVALS_MILLIS = {50, 250, 50};

    final List<Engine> engines = new ArrayList<>();

    /** Three engines in each of the first shards. */
    SourceFleet(int shards) {
        for (int shard = 0; shard < shards; shard++) {
            for (int position = 0; position < INTERVALS_MILLIS.length; position++) {
                engines.add(new Engine(Shards.number(shard, position), INTERVALS_MILLIS[position]));
            }
        }
    }

    Engine pick(int choice) {
        return engines.get(choice % engines.size());
    }

    static final class Engine {
        final int number;
        final int intervalMillis;
        final List<Long> lastSampledByVersion = new ArrayList<>(List.of(Long.MIN_VALUE / 2));

        /** Its scrapes fail. */
        boolean mute;

        private Engine(int number, int intervalMillis) {
            this.number = number;
            this.intervalMillis = intervalMillis;
        }

        int version() {
            return lastSampledByVersion.size() - 1;
        }

        void change() {
            lastSampledByVersion.add(Long.MIN_VALUE / 2);
        }

        int sampleAt(long at) {
            lastSampledByVersion.set(version(), Math.max(at, lastSampledByVersion.getLast()));
            return version();
        }

        /** As the design says it, not as the code does. */
        long freshForNanos() {
            return Math.max(150, 3 * intervalMillis) * MS;
        }
    }

    static Sample sample(Engine engine, int version, long ageNanos) {
        return new Sample(
                engine.number,
                version,
                3 * version + 1,
                7 * version,
                version,
                0,
                ageNanos / 1000,
                engine.intervalMillis,
                0);
    }
}
