package dev.penstock.router.auth;

import java.util.ArrayList;
import java.util.List;

/**
 * What is wrong with a file: which field, what it is and what was expected. Never a value of the file: a key that was pasted
 * where its hash belongs would be in the log. One thread.
 */
final class Faults {
    /** A file of another kind is wrong everywhere; its first faults say so. */
    private static final int MOST = 20;

    private final List<Fault> faults = new ArrayList<>();

    record Fault(String field, String what, String expected) {
        @Override
        public String toString() {
            return field + " is " + what + ", expected " + expected;
        }
    }

    void add(String field, String what, String expected) {
        if (faults.size() < MOST) faults.add(new Fault(field, what, expected));
    }

    boolean isEmpty() {
        return faults.isEmpty();
    }

    List<Fault> list() {
        return List.copyOf(faults);
    }
}
