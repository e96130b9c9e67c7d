package dev.penstock.cli.load;

import java.time.Duration;
import java.util.List;

/**
 * What to send, where, and how fast.
 *
 * @param urls of the routers, used in turn
 * @param directUrls of the engines, for a second lane of the same rate; empty = no such lane
 * @param rps arrivals per second of each lane; 0 = closed loop of {@code concurrency} workers per lane
 * @param concurrency closed loop: workers per lane; open loop: outstanding requests above which an arrival is an overrun
 * @param timeout from the scheduled time
 */
public record LoadPlan(
        List<String> urls,
        List<String> directUrls,
        double rps,
        int concurrency,
        Duration duration,
        String model,
        TokenCount promptTokens,
        TokenCount outputTokens,
        boolean stream,
        long seed,
        Duration timeout) {

    public static final int MAX_OUTSTANDING = 10_000;

    public LoadPlan {
        urls = List.copyOf(urls);
        directUrls = List.copyOf(directUrls);
        if (urls.isEmpty()) throw new IllegalArgumentException("urls: expected at least one");
        if (!(rps >= 0 && rps <= 1_000_000)) {
            throw new IllegalArgumentException("rps: expected 0 to 1000000, got " + rps);
        }
        if (concurrency < 1 || concurrency > MAX_OUTSTANDING) {
            throw new IllegalArgumentException(
                    "concurrency: expected 1 to " + MAX_OUTSTANDING + ", got " + concurrency);
        }
        if (!duration.isPositive()) throw new IllegalArgumentException("duration: expected more than 0");
        if (!timeout.isPositive()) throw new IllegalArgumentException("timeout: expected more than 0");
    }

    boolean isOpenLoop() {
        return rps > 0;
    }
}
