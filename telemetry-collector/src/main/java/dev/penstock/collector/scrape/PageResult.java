package dev.penstock.collector.scrape;

/** What came of a scrape. */
public sealed interface PageResult {
    /**
     * @param fullPage the whole page had to be asked for
     */
    record Read(Reading reading, boolean fullPage, int garbageLines) implements PageResult {}

    /** Nothing that can be trusted. */
    record Failed(String reason) implements PageResult {}
}
