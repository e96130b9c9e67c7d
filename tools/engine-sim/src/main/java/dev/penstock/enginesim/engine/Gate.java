package dev.penstock.enginesim.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Requests left without an answer until something changes. Those whose client has gone are forgotten now and then, so
 * that it holds at most twice as many as are open. On the engine's event loop.
 */
public final class Gate {
    private static final int FIRST_SWEEP = 64;

    private record Held(BooleanSupplier wanted, Runnable rest) {}

    private List<Held> held = new ArrayList<>();
    private int sweepAt = FIRST_SWEEP;

    /**
     * Keeps the rest of a request.
     *
     * @param wanted false once nobody waits for it
     */
    public void hold(BooleanSupplier wanted, Runnable rest) {
        if (held.size() >= sweepAt) {
            held.removeIf(one -> !one.wanted.getAsBoolean());
            sweepAt = Math.max(FIRST_SWEEP, held.size() * 2);
        }
        held.add(new Held(wanted, rest));
    }

    /** Answers what is held and wanted, in order of arrival. */
    public void release() {
        List<Held> released = held;
        held = new ArrayList<>();
        for (Held one : released) {
            if (one.wanted.getAsBoolean()) {
                one.rest.run();
            }
        }
    }

    public boolean empty() {
        return held.isEmpty();
    }
}
