package dev.penstock.collector.publish;

import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.model.TelemetryFrame;
import dev.penstock.model.Topics;
import dev.penstock.wire.TelemetryCodec;
import java.util.function.LongSupplier;

/** Sends what there is to say, and waits for nothing: late telemetry is worthless. Used on one context. */
public final class TelemetryPublisher {
    private final KafkaBus bus;
    private final FrameBuilder builder;
    private final LongSupplier nanoClock;

    public TelemetryPublisher(KafkaBus bus, FrameBuilder builder, LongSupplier nanoClock) {
        this.bus = bus;
        this.builder = builder;
        this.nanoClock = nanoClock;
    }

    public void tick() {
        for (TelemetryFrame frame : builder.frames(nanoClock.getAsLong())) {
            bus.send(Topics.TELEMETRY, frame.shard(), Integer.toString(frame.shard()), TelemetryCodec.encode(frame));
        }
    }
}
