package dev.penstock.relaybench;

/** The machine or a contender does not let us measure; the message is for whoever ran the benchmark. */
public final class BenchFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    public BenchFailure(String message) {
        super(message);
    }
}
