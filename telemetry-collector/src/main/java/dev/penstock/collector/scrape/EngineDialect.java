package dev.penstock.collector.scrape;

import org.jspecify.annotations.Nullable;

/** How an engine is asked for its load, and how its answer is read. One thread. */
public sealed interface EngineDialect permits VllmDialect, SglangDialect {
    /** The cheaper way to ask; some engines answer it with an empty page or 404. */
    String filteredPath();

    String fullPath();

    /** Null when none of the engine's families is on the page. */
    @Nullable
    Reading read(byte[] page);

    /** True when even the cheaper way costs the engine too much for the short interval. */
    boolean dear();

    /** Lines of the last page that were no samples. */
    int garbageLines();
}
