package dev.penstock.collector.roster;

import dev.penstock.model.Sample;
import dev.penstock.wire.MalformedRecordException;
import dev.penstock.wire.TelemetryCodec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the roster owner which engines began anew, as whichever collector scrapes them says in its frames. */
public final class RestartFeed {
    private static final Logger LOG = LoggerFactory.getLogger(RestartFeed.class);

    private final RosterOwner owner;

    public RestartFeed(RosterOwner owner) {
        this.owner = owner;
    }

    public void record(byte @Nullable [] value) {
        if (value == null || !owner.owns()) return;
        try {
            for (Sample sample : TelemetryCodec.decode(value).samples()) {
                if (sample.restarted()) owner.restarted(sample.number());
            }
        } catch (MalformedRecordException e) {
            LOG.debug("frame skipped: {}", e.getMessage());
        }
    }
}
