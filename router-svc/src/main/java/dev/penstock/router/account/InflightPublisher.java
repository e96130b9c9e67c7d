package dev.penstock.router.account;

import dev.penstock.core.view.FleetView;
import dev.penstock.core.view.VectorWriter;
import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.model.InflightVector;
import dev.penstock.model.Topics;
import dev.penstock.router.config.ManagementUrl;
import dev.penstock.wire.InflightCodec;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Tells the other routers what this one has in flight. Lives on the view's context. */
public final class InflightPublisher {
    private final KafkaBus bus;
    private final FleetView view;
    private final Arrivals arrivals;
    private final Incarnation self;
    private final VectorWriter vectors;
    private final LongSupplier nanoClock;
    private @Nullable String managementUrl;

    public InflightPublisher(
            KafkaBus bus, FleetView view, Arrivals arrivals, Incarnation self, LongSupplier nanoClock) {
        this.bus = bus;
        this.view = view;
        this.arrivals = arrivals;
        this.self = self;
        this.vectors = new VectorWriter(self.name(), self.nonce());
        this.nanoClock = nanoClock;
    }

    /** Tells it with each full vector from now on. */
    public void managedAt(ManagementUrl url) {
        managementUrl = url.text();
    }

    /** Called each 100 ms. */
    public void publish() {
        InflightVector vector = vectors.next(view.current(), arrivals.all(), managementUrl, nanoClock.getAsLong());
        bus.send(Topics.INFLIGHT, 0, self.name(), InflightCodec.encode(vector));
    }
}
