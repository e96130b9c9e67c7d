package dev.penstock.collector.scrape;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A sample name to look for, optionally with one label value, and how several series of it become one number.
 *
 * @param label name of a label that must have {@code value}, or null for any series
 */
@SuppressWarnings("ArrayRecordComponent") // compared byte by byte by the scanner, by nothing else
record Family(byte[] name, byte @Nullable [] label, byte @Nullable [] value, Fold fold) {
    enum Fold {
        /** Over engine ranks: the replica's total. */
        SUM,
        /** The fullest rank. */
        MAX,
        /** An info series whose value is the time it was last true: the latest, for its labels. */
        LATEST
    }

    static Family sum(String name) {
        return new Family(bytes(name), null, null, Fold.SUM);
    }

    static Family max(String name) {
        return new Family(bytes(name), null, null, Fold.MAX);
    }

    static Family latest(String name) {
        return new Family(bytes(name), null, null, Fold.LATEST);
    }

    Family where(String labelName, String labelValue) {
        return new Family(name, bytes(labelName), bytes(labelValue), fold);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
