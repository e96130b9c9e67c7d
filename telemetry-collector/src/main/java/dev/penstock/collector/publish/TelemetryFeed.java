package dev.penstock.collector.publish;

import dev.penstock.kit.bus.Incarnation;
import dev.penstock.model.Sample;
import dev.penstock.model.TelemetryFrame;
import dev.penstock.wire.MalformedRecordException;
import dev.penstock.wire.TelemetryCodec;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What collectors tell on the bus, read back: by all of them, or by others than this one. Used on one context. */
public final class TelemetryFeed {
    private static final Logger LOG = LoggerFactory.getLogger(TelemetryFeed.class);

    private final Incarnation self;
    private final Consumer<Sample> anybody;
    private final Consumer<Sample> others;

    /** @param others told only of what this life of this collector did not say */
    public TelemetryFeed(Incarnation self, Consumer<Sample> anybody, Consumer<Sample> others) {
        this.self = self;
        this.anybody = anybody;
        this.others = others;
    }

    public void record(byte @Nullable [] value) {
        TelemetryFrame frame = decoded(value);
        if (frame == null) return;
        frame.samples().forEach(anybody);
        if (!mine(frame)) frame.samples().forEach(others);
    }

    /** A record of before this collector started: what it says of a moment is over, what was learned by then is not. */
    public void past(byte @Nullable [] value) {
        TelemetryFrame frame = decoded(value);
        if (frame != null && !mine(frame)) frame.samples().forEach(others);
    }

    private boolean mine(TelemetryFrame frame) {
        return frame.header().producer().equals(self.name()) && frame.header().incarnation() == self.nonce();
    }

    private static @Nullable TelemetryFrame decoded(byte @Nullable [] value) {
        if (value == null) return null;
        try {
            return TelemetryCodec.decode(value);
        } catch (MalformedRecordException e) {
            LOG.debug("frame skipped: {}", e.getMessage());
            return null;
        }
    }
}
