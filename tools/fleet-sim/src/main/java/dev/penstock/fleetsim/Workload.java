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
