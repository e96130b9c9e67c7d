package dev.penstock.collector.scrape;

import org.jspecify.annotations.Nullable;

/** How an engine is asked for its load, and how its answer is read. One thread. */
public sealed interface EngineDialect permits VllmDialect {
    /** Asks for the needed samples only; some engines answer it with an empty page. */
    String filteredPath();

    String fullPath();

    /** Null when none of the engine's families is on the page. */
    @Nullable
    Reading read(byte[] page);

    /** Lines of the last page that were no samples. */
    int garbageLines();
}
