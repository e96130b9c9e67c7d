package dev.penstock.core.capacity;

/**
 * What a replica does when it is full, from what it did at any load:
 *
 * <pre>
 *   C = sum g (X + h x) / sum g        X of all, x = X / B of each request, g = dt B / (B + h): seconds of full use
 * </pre>
 *
 * A mean of samples X (B + h) / B, each weighted by how much the replica had to do: one that has little to do says little,
 * and is not taken for slow. Kept as two sums, so that the same samples serve whatever h turns out to be. One writer.
 */
final class Speed {
    double seconds;
    double all;
    double each;

    void add(ChangeWatch.Sample sample) {
        double rate = sample.work() / sample.seconds();
        seconds += sample.effortSeconds();
        all += sample.effortSeconds() * rate;
        each += sample.effortSeconds() * rate / sample.inflight();
    }

    /** 0 = nothing known. */
    double at(double half) {
        return seconds == 0 ? 0 : (all + half * each) / seconds;
    }

    void fade(double factor) {
        seconds *= factor;
        scale(factor);
    }

    /** As if it had been that much faster. */
    void scale(double factor) {
        all *= factor;
        each *= factor;
    }

    void set(Speed other) {
        set(other.seconds, other.all, other.each);
    }

    void set(double nextSeconds, double nextAll, double nextEach) {
        seconds = nextSeconds;
        all = nextAll;
        each = nextEach;
    }
}
