package dev.penstock.collector.scrape;

import dev.penstock.model.Replica;

/** Told of what scrapes read, on the context of the scrapes. */
public interface ReadingListener {
    void read(Replica replica, Reading reading, long nowNanos);

    /** Its counters began anew; told before the reading that shows it. */
    default void restarted(Replica replica) {}

    /** It is no longer scraped here, or another incarnation took its place. */
    void removed(Replica replica);
}
