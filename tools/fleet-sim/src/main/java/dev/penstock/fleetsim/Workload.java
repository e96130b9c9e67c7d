package dev.penstock.fleetsim;

import java.util.List;
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
     * Sessions of several turns, each begun a think time after the one before has ended.
     *
     * @param perNano sessions that begin
     * @param boundOverMean a replica with more than that times the mean in flight is too busy to keep its sessions
     */
    record Sessions(
            ServiceTimes turn,
            ServiceTimes think,
            int turns,
            double perNano,
            Resize resize,
            List<Ejection> ejections,
            double boundOverMean)
            implements Workload {
        public Sessions {
            ejections = List.copyOf(ejections);
        }

        /** The first turns only. */
        @Override
        public Source open(Streams streams) {
            return new Poisson(turn, perNano).open(streams);
        }
    }

    /** So many replicas come, and as many others go. */
    record Resize(int replicas, long growNanos, long shrinkNanos) {}

    /** Nothing is sent to a replica for a while. */
    record Ejection(int nth, long fromNanos, long untilNanos) {}

    /**
     * Prompts and answers of exponential lengths, without memory. Until a time the load swings as a day's does, but in two
     * minutes; from another time on prompts are three times as long and the rate is as much lower as keeps the offered work.
     *
     * @param unitsPerSecond offered work, after the swing
     */
    record Shifting(double unitsPerSecond, Swing swing, long longerPromptsNanos) implements Workload {
        private static final double PROMPT_TOKENS = 400;
        private static final double OUTPUT_TOKENS = 250;
        private static final double LONGER = 3;

        /** From the lowest to the highest and back in two minutes. */
        record Swing(double lowest, double highest, long untilNanos) {
            private static final double PERIOD_NANOS = 120e9;

            double at(double nanos) {
                return lowest + (highest - lowest) * (1 - Math.cos(2 * Math.PI * nanos / PERIOD_NANOS)) / 2;
            }
        }

        @Override
        public Source open(Streams streams) {
            RandomGenerator arrivals = streams.of("arrivals");
            RandomGenerator lengths = streams.of("lengths");
            return new Source() {
                private double nowNanos;

                @Override
                public Arrival next() {
                    double prompt = PROMPT_TOKENS * (nowNanos >= longerPromptsNanos ? LONGER : 1);
                    double units = EngineModel.Sharing.UNITS_PER_PROMPT_TOKEN * prompt + OUTPUT_TOKENS;
                    double rate = nowNanos >= swing.untilNanos() ? unitsPerSecond : swing.at(nowNanos);
                    double gapNanos = arrivals.nextExponential() * 1e9 * units / rate;
                    nowNanos += gapNanos;
                    return new Arrival(
                            (long) gapNanos, Demand.ofTokens(draw(prompt, lengths), draw(OUTPUT_TOKENS, lengths)));
                }
            };
        }

        private static int draw(double mean, RandomGenerator lengths) {
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
