package dev.penstock.relaybench;

/**
 * How long to measure.
 *
 * @param pairs each measures every contender once, one after the other
 * @param warmSeconds of load on every JVM in every scene, and more while its compilers work: in its first 8 s under load a
 *     JVM with one core costs up to five times what it costs later
 * @param windowSeconds measured, of one contender in one pair
 * @param leadSeconds of load before each window: the others had the core's caches
 * @param quiet judge what only a machine without other work can tell: times and their ratios
 */
record Form(
        int pairs,
        double warmSeconds,
        double windowSeconds,
        double leadSeconds,
        int coldStarts,
        int soakSeconds,
        boolean quiet) {
    static final Form SMALL = new Form(3, 10, 2, 1, 1, 60, false);
    static final Form FULL = new Form(7, 90, 5, 1.5, 5, 1_800, true);

    Form withPairs(int number) {
        return new Form(number, warmSeconds, windowSeconds, leadSeconds, coldStarts, soakSeconds, quiet);
    }
}
