package dev.penstock.model;

import java.util.Locale;

/** How it is learned which replica has which prompt prefix in its KV cache. */
public enum PrefixMode {
    /** Not at all. */
    OFF,
    /** By what routers sent where: right while nothing is evicted. */
    APPROXIMATE,
    /** By the KV events of engines that publish them. */
    EVENTS;

    /** As it is written in the configuration and on the wire. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** OFF for a text that is empty or not known: a writer that is older or newer. */
    public static PrefixMode of(String text) {
        for (PrefixMode mode : values()) {
            if (mode.text().equals(text)) return mode;
        }
        return OFF;
    }
}
