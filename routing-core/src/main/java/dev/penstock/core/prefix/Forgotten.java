package dev.penstock.core.prefix;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Replicas whose caches were lost, and up to when what was known of them is void: looked at when an owner is found, since
 * going through a table of a million blocks would take milliseconds. Holds the last 1,024, 4 in each place; one that is
 * pushed out costs hints that are wrong until they expire.
 */
final class Forgotten {
    private static final int WAYS = 4;
    private static final int PLACES = 256;

    private final AtomicLongArray until = new AtomicLongArray(PLACES * WAYS);

    Forgotten() {
        for (int i = 0; i < until.length(); i++) until.setPlain(i, Owner.NONE);
    }

    /** Seldom called, and not for a request. */
    synchronized void add(int number, int tick) {
        int from = place(number);
        int at = from;
        int upTo = tick;
        for (int i = from; i < from + WAYS; i++) {
            long there = until.get(i);
            if (Owner.number(there) == number) {
                // Lost again in one tick: what was learned in between has the next tick.
                upTo = after(number, tick);
                at = i;
                break;
            }
            if (Owner.number(there) == Owner.NOBODY) {
                at = i;
                break;
            }
            if (Owner.tick(there) - Owner.tick(until.get(at)) < 0) at = i;
        }
        until.set(at, Owner.of(number, upTo));
    }

    /** The tick, or a later one that does not count as forgotten. */
    int after(int number, int tick) {
        int from = place(number);
        for (int i = from; i < from + WAYS; i++) {
            long there = until.getOpaque(i);
            if (Owner.number(there) == number) return Math.max(Owner.tick(there) + 1 - tick, 0) + tick;
        }
        return tick;
    }

    /** What was known of an owner at its tick has been forgotten since. */
    boolean covers(long owner) {
        int number = Owner.number(owner);
        int from = place(number);
        for (int i = from; i < from + WAYS; i++) {
            long there = until.getOpaque(i);
            if (Owner.number(there) == number) return Owner.tick(owner) - Owner.tick(there) <= 0;
        }
        return false;
    }

    private static int place(int number) {
        return (number & PLACES - 1) * WAYS;
    }
}
