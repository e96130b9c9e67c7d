package dev.penstock.fleetsim;

/**
 * A cold engine: work takes {@code factor} times as long at first, and less so linearly until the window is over.
 *
 * @param bornNanos may be before the run
 */
record ColdStart(long bornNanos, double factor, long windowNanos) {
    static final ColdStart NONE = new ColdStart(0, 1, 0);

    ColdStart {
        if (!(factor >= 1) || windowNanos < 0) {
            throw new IllegalArgumentException(
                    "cold start: factor " + factor + " must be at least 1, window " + windowNanos + " ns at least 0");
        }
    }

    /** What an engine that works from one time to another gets done, in nanoseconds of a warm one. */
    double workedNanos(long fromNanos, long toNanos) {
        long warmNanos = bornNanos + windowNanos;
        if (factor == 1 || fromNanos >= warmNanos) return toNanos - fromNanos;
        double cold = Math.log(slowness(fromNanos) / slowness(Math.min(toNanos, warmNanos))) / slope();
        return cold + Math.max(0, toNanos - warmNanos);
    }

    /** When work begun at a time is done. */
    long doneNanos(long fromNanos, double workNanos) {
        long warmNanos = bornNanos + windowNanos;
        if (factor == 1 || fromNanos >= warmNanos) return fromNanos + (long) Math.ceil(workNanos);
        double cold = workedNanos(fromNanos, warmNanos);
        if (workNanos >= cold) return warmNanos + (long) Math.ceil(workNanos - cold);
        double slownessThen = slowness(fromNanos) * Math.exp(-slope() * workNanos);
        return bornNanos + (long) Math.ceil((factor - slownessThen) / slope());
    }

    private double slowness(long atNanos) {
        return factor - slope() * (atNanos - bornNanos);
    }

    /** What slowness falls by per nanosecond. */
    private double slope() {
        return (factor - 1) / windowNanos;
    }
}
