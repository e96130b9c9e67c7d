package dev.penstock.kit.management;

import dev.penstock.kit.log.LogKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One thing a service needs before it is ready. Any thread may set it, any may read. */
public final class Condition {
    private static final Logger LOG = LoggerFactory.getLogger(Condition.class);

    private final String name;
    private volatile State state;

    /** The reason is empty when it holds. */
    record State(boolean ok, String reason) {}

    Condition(String name, String initialReason) {
        this.name = name;
        this.state = new State(false, initialReason);
    }

    public void ok() {
        set(new State(true, ""));
    }

    public void notYet(String reason) {
        set(new State(false, reason));
    }

    String name() {
        return name;
    }

    State state() {
        return state;
    }

    private void set(State next) {
        State old = state;
        if (old.equals(next)) return;
        state = next;
        if (old.ok() == next.ok()) return;
        LOG.atInfo()
                .addKeyValue(LogKeys.OLD, old.ok())
                .addKeyValue(LogKeys.NEW, next.ok())
                .addKeyValue(LogKeys.REASON, next.ok() ? old.reason() : next.reason())
                .addKeyValue(LogKeys.CONDITION, name)
                .log("readiness condition");
    }
}
