package dev.penstock.model;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How an attempt may have failed, before its client got a byte, for the operator to let it be made again elsewhere. The engine
 * may have worked for it, so none of these is retried unasked.
 */
public enum RetryOn {
    STATUS_500,
    STATUS_502,
    STATUS_504,
    /** The connection broke after the request was sent. */
    RESET;

    private static final String STATUS = "STATUS_";

    /** As it is written in the configuration and on the wire. */
    public String text() {
        return name().startsWith(STATUS) ? name().substring(STATUS.length()) : name().toLowerCase(Locale.ROOT);
    }

    /** Null for a text that is not known. */
    public static @Nullable RetryOn of(String text) {
        for (RetryOn each : values()) {
            if (each.text().equals(text)) return each;
        }
        return null;
    }
}
