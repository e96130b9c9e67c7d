package dev.penstock.relaybench;

/**
 * One contender under one load for some seconds.
 *
 * @param cpuMicros of the contender's process and its children
 * @param allocatedBytes of its JVM, or 0 where it has none
 */
record Window(double seconds, long requests, long events, double cpuMicros, long allocatedBytes, Counts counts) {
    double cpuPerRequest() {
        return cpuMicros / requests;
    }

    double cpuPerEvent() {
        return cpuMicros / events;
    }

    double bytesPerRequest() {
        return (double) allocatedBytes / requests;
    }

    double bytesPerEvent() {
        return (double) allocatedBytes / events;
    }

    double cores() {
        return cpuMicros / 1e6 / seconds;
    }
}
