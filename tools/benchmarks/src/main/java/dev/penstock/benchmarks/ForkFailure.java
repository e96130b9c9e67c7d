package dev.penstock.benchmarks;

import org.jspecify.annotations.Nullable;

/** The JVM that JMH measures in did not start or did not come to an end. */
public final class ForkFailure extends RuntimeException {
    ForkFailure(String log, @Nullable Throwable cause) {
        super("JMH could not measure; it said:\n" + log, cause);
    }
}
