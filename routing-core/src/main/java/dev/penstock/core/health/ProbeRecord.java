package dev.penstock.core.health;

import org.jspecify.annotations.Nullable;

/** The probes of one replica so far. One writer. */
final class ProbeRecord {
    private @Nullable ProbeResult last;
    private long lastNanos;
    private boolean everPassed;
    private long passedNanos;
    private int passesInRow;
    private int failuresInRow;
    private int unreachableInRow;

    /** A busy answer is no pass, but it ends a row of failures: hard is what fails without any sign of life. */
    void add(ProbeResult result, long nowNanos) {
        last = result;
        lastNanos = nowNanos;
        switch (result.kind()) {
            case PASSED -> {
                everPassed = true;
                passedNanos = nowNanos;
                passesInRow++;
                failuresInRow = 0;
                unreachableInRow = 0;
            }
            case BUSY -> {
                failuresInRow = 0;
                unreachableInRow = 0;
            }
            case FAILED -> {
                passesInRow = 0;
                failuresInRow++;
                unreachableInRow = 0;
            }
            case UNREACHABLE -> {
                passesInRow = 0;
                failuresInRow++;
                unreachableInRow++;
            }
        }
    }

    @Nullable
    ProbeResult last() {
        return last;
    }

    long lastNanos() {
        return lastNanos;
    }

    /** False until one passed; then {@link #passedNanos} says when. */
    boolean everPassed() {
        return everPassed;
    }

    long passedNanos() {
        return passedNanos;
    }

    int passesInRow() {
        return passesInRow;
    }

    int failuresInRow() {
        return failuresInRow;
    }

    int unreachableInRow() {
        return unreachableInRow;
    }

    /** What a former owner had seen. */
    void restore(int passes, long passAtNanos) {
        passesInRow = passes;
        everPassed = true;
        passedNanos = passAtNanos;
    }
}
