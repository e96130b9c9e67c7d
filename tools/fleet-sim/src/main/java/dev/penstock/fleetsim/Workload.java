package dev.penstock.fleetsim;

import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Which requests come, and when. */
sealed interface Workload {
    /** From the first on; the same streams give the same requests. */
    Source open(Streams streams);

    interface Source {
        /** The next request, or null after the last. */
        @Nullable
        Arrival next();
    }

    /** @param gapNanos after the request before */
    record Arrival(long gapNanos, Demand demand) {}

    /** Without memory, and without end. */
    record Poisson(ServiceTimes service, double perNano) implements Workload {
        /** @param load offered work over all slots, 0 to 1 */
        static Poisson offering(double load, int slotsOfAll, ServiceTimes service) {
            if (!(load > 0 && load < 1)) {
                throw new IllegalArgumentException("workload: load " + load + " is not in (0, 1)");
            }
            return new Poisson(service, load * slotsOfAll / service.meanNanos());
        }

        @Override
        public Source open(Streams streams) {
            RandomGenerator arrivals = streams.of("arrivals");
            RandomGenerator services = streams.of("services");
            return new Source() {
                private boolean begun;

                @Override
                public Arrival next() {
                    long gapNanos = begun ? (long) (arrivals.nextExponential() / perNano) : 0;
                    begun = true;
                    return new Arrival(gapNanos, Demand.ofTime(service.drawNanos(services)));
                }
            };
        }
    }

    /**
     * Prompts and answers of exponential lengths without memory, the prompts three times as long from a time on: the rate falls
     * so that the offered load stays.
     *
     * @param unitsPerSecond offered work
     * @param swing until {@code swingNanos}, by how much the rate goes up and down (a sine of one minute)
     */
    record Shifting(
            double unitsPerSecond,
            double promptTokens,
            double outputTokens,
            long shiftNanos,
            long swingNanos,
            double lowest,
            double highest)
            implements Workload {
        private static final double LONGER = 3;

        @Override
        public Source open(Streams streams) {
            RandomGenerator arrivals = streams.of("arrivals");
            RandomGenerator lengths = streams.of("lengths");
            return new Source() {
                private double nowNanos;

                @Override
                public Arrival next() {
                    double prompt = promptTokens * (nowNanos >= shiftNanos ? LONGER : 1);
                    double units = EngineModel.Sharing.UNITS_PER_PROMPT_TOKEN * prompt + outputTokens;
                    double gapNanos = arrivals.nextExponential() * 1e9 * units / rate();
                    nowNanos += gapNanos;
                    return new Arrival(
                            (long) gapNanos, Demand.ofTokens(drawn(prompt, lengths), drawn(outputTokens, lengths)));
                }

                private double rate() {
                    if (nowNanos >= swingNanos) return unitsPerSecond;
                    return lowest + (highest - lowest) * (1 - Math.cos(2 * Math.PI * nowNanos / 60e9)) / 2;
                }
            };
        }

        private static int drawn(double mean, RandomGenerator lengths) {
            return 1 + (int) (mean * lengths.nextExponential());
        }
    }

    /** A trace, so many times faster than it was. */
    record Replay(Recording recording, double speed) implements Workload {
        @Override
        public Source open(Streams streams) {
            return new Source() {
                private int row;

                @Override
                public @Nullable Arrival next() {
                    if (row == recording.size()) return null;
                    long before = row == 0 ? 0 : recording.atNanos(row - 1);
                    double gapNanos = (recording.atNanos(row) - before) / speed;
                    return new Arrival((long) gapNanos, recording.demand(row++));
                }
            };
        }
    }
}
