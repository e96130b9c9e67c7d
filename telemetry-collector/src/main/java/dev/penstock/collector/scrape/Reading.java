package dev.penstock.collector.scrape;

import dev.penstock.core.capacity.Work;
import dev.penstock.model.Sample;
import org.jspecify.annotations.Nullable;

/**
 * What one page said. Unknown is {@link Sample#UNKNOWN}, never 0.
 *
 * @param kvUsedPpm of the fullest rank
 * @param heartbeat a counter that moves with each engine step
 * @param sleeping the engine says that its weights are not loaded
 * @param live the scheduler itself answered: the answer is proof enough, there is no counter
 * @param adapters what requests at the engine use; null where the page does not tell
 */
public record Reading(
        int running,
        int waiting,
        int kvUsedPpm,
        long heartbeat,
        boolean sleeping,
        boolean live,
        Work work,
        @Nullable AdaptersInUse adapters) {
    /** One that tells of load alone. */
    public Reading(int running, int waiting, int kvUsedPpm, long heartbeat, boolean sleeping, boolean live) {
        this(running, waiting, kvUsedPpm, heartbeat, sleeping, live, Work.UNKNOWN, null);
    }
}
