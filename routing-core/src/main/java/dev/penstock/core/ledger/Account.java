package dev.penstock.core.ledger;

import java.util.Arrays;
import java.util.function.IntConsumer;

/** What an owner knows of one incarnation of a holder. */
final class Account {
    /** May hold slots of an older epoch. */
    private final boolean presumed;

    private long session = -1;
    private boolean left;
    private boolean dead;
    private int[] out = {};
    private boolean[] settled = {};

    Account(boolean presumed) {
        this.presumed = presumed;
    }

    boolean reported() {
        return session >= 0;
    }

    long session() {
        return session;
    }

    void session(long next) {
        session = next;
    }

    boolean over() {
        return left || dead;
    }

    void deregistered() {
        left = true;
        Arrays.fill(out, 0);
    }

    void died() {
        dead = true;
    }

    void settled(int replica) {
        if (!dead) return;
        if (replica >= settled.length) settled = Arrays.copyOf(settled, replica + 1);
        settled[replica] = true;
        out(replica, 0);
    }

    boolean frozen(int replica) {
        return dead && !left && !isSettled(replica) && (presumed || out(replica) > 0);
    }

    private boolean isSettled(int replica) {
        return replica < settled.length && settled[replica];
    }

    /** It left, or is dead and holds nothing at any of the first so many replicas. */
    boolean isOverAt(int replicas) {
        if (left) return true;
        if (!dead) return false;
        for (int i = 0; i < Math.max(replicas, out.length); i++) if (frozen(i)) return false;
        return true;
    }

    void forget(int replica) {
        if (replica < out.length) out[replica] = 0;
        if (replica < settled.length) settled[replica] = false;
    }

    boolean accounted(int replica) {
        return !presumed || reported() || left || dead && isSettled(replica);
    }

    int out(int replica) {
        return replica < out.length ? out[replica] : 0;
    }

    void out(int replica, int slots) {
        if (slots < 0) throw new IllegalStateException("returned more than was out");
        if (replica >= out.length) {
            if (slots == 0) return;
            out = Arrays.copyOf(out, replica + 1);
        }
        out[replica] = slots;
    }

    Account copy() {
        Account copy = new Account(presumed);
        copy.session = session;
        copy.left = left;
        copy.dead = dead;
        copy.out = out.clone();
        copy.settled = settled.clone();
        return copy;
    }

    void state(IntConsumer sink) {
        sink.accept((int) session);
        sink.accept((presumed ? 1 : 0) + (left ? 2 : 0) + (dead ? 4 : 0));
        for (int each : out) sink.accept(each);
        sink.accept(-1);
        for (boolean each : settled) sink.accept(each ? 1 : 0);
        sink.accept(-2);
    }
}
