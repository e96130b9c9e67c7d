package dev.penstock.collector.scrape;

import dev.penstock.wire.InflightCodec;
import dev.penstock.wire.MalformedRecordException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes the routers' vectors off the bus. Used on one context. */
public final class InflightFeed {
    private static final Logger LOG = LoggerFactory.getLogger(InflightFeed.class);

    private final InflightSums sums;
    private final ScrapeLoop scrapes;

    public InflightFeed(InflightSums sums, ScrapeLoop scrapes) {
        this.sums = sums;
        this.scrapes = scrapes;
    }

    public void record(byte @Nullable [] value, long receiveNanos) {
        if (value == null) return;
        try {
            sums.accept(InflightCodec.decode(value), receiveNanos, scrapes::gotTraffic);
        } catch (MalformedRecordException e) {
            LOG.debug("in-flight vector skipped: {}", e.getMessage());
        }
    }
}
