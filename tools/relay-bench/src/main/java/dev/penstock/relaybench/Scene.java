package dev.penstock.relaybench;

import java.util.Locale;

/** A part of the benchmark that can be run alone. */
public enum Scene {
    SMALL,
    SSE,
    BODIES,
    FLEET,
    COLD,
    SOAK;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
