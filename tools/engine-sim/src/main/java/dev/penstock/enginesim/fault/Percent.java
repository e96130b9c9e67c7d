package dev.penstock.enginesim.fault;

import java.util.ArrayList;
import java.util.List;

/** Shares of requests, written {@code 20%}; all of them is not written at all. */
final class Percent {
    static final int ALL = 100;

    private Percent() {}

    static void check(String verb, int percent) {
        if (percent < 1 || percent > ALL) {
            throw new IllegalArgumentException(verb + ": expected a share from 1% to 100%, got " + percent + "%");
        }
    }

    static List<String> args(String first, int percent) {
        return percent == ALL ? List.of(first) : List.of(first, percent + "%");
    }

    static List<String> and(List<String> args, String more) {
        List<String> all = new ArrayList<>(args);
        all.add(more);
        return List.copyOf(all);
    }
}
