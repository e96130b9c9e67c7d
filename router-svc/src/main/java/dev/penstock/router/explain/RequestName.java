package dev.penstock.router.explain;

import org.jspecify.annotations.Nullable;

/**
 * A request id taken apart: {@code <router name>-<number to base 36>}, with {@code -a<attempt>} behind it in the form that
 * engines see. Numbers carry milliseconds of today, so a short last part cannot be one.
 */
record RequestName(String router, long number) {
    private static final int SHORTEST_NUMBER = 6;

    /** Null when the text has not that form. */
    static @Nullable RequestName parse(String id) {
        int dash = id.lastIndexOf('-');
        if (dash > 0 && id.startsWith("-a", dash) && id.length() - dash <= SHORTEST_NUMBER) {
            id = id.substring(0, dash);
            dash = id.lastIndexOf('-');
        }
        if (dash <= 0) return null;
        try {
            return new RequestName(id.substring(0, dash), Long.parseLong(id, dash + 1, id.length(), 36));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Without the attempt. */
    String id() {
        return router + "-" + Long.toString(number, 36);
    }
}
