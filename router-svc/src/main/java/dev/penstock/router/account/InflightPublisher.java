package dev.penstock.router.account;

import dev.penstock.core.view.FleetView;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.core.view.RosterImage;
import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.model.Header;
import dev.penstock.model.InflightVector;
import dev.penstock.model.Topics;
import dev.penstock.router.config.ManagementUrl;
import dev.penstock.wire.InflightCodec;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells the other routers what this one has in flight: what changed each 100 ms, everything that is not zero each second.
 * An unchanged vector is sent too, empty: silence means a dead router. Lives on the view's context.
 */
public final class InflightPublisher {
    private static final int TICKS_PER_FULL = 10;

    private final KafkaBus bus;
    private final FleetView view;
    private final Arrivals arrivals;
    private final Incarnation self;
    private final LongSupplier nanoClock;
    private final Map<Integer, Integer> published = new HashMap<>();
    private long sequence;
    private long tick;
    private @Nullable String managementUrl;

    public InflightPublisher(
            KafkaBus bus, FleetView view, Arrivals arrivals, Incarnation self, LongSupplier nanoClock) {
        this.bus = bus;
        this.view = view;
        this.arrivals = arrivals;
        this.self = self;
        this.nanoClock = nanoClock;
    }

    /** Tells it with each full vector from now on. */
    public void managedAt(ManagementUrl url) {
        managementUrl = url.text();
    }

    /** Called each 100 ms. */
    public void publish() {
        boolean full = tick++ % TICKS_PER_FULL == 0;
        RosterImage image = view.current();
        int size = image.entries().size();
        int[] numbers = new int[size];
        int[] counts = new int[size];
        int used = 0;
        if (full) published.clear();
        for (ReplicaEntry entry : image.entries()) {
            int number = entry.replica().number();
            int count = entry.cell().own();
            boolean say = full ? count != 0 : published.getOrDefault(number, 0) != count;
            if (!say) continue;
            numbers[used] = number;
            counts[used++] = count;
            published.put(number, count);
        }
        Header header = new Header(self.name(), self.nonce(), ++sequence, Header.NO_EPOCH, nanoClock.getAsLong());
        InflightVector vector = new InflightVector(
                header,
                image.version(),
                full,
                Arrays.copyOf(numbers, used),
                Arrays.copyOf(counts, used),
                arrivals.all(),
                full ? managementUrl : null);
        bus.send(Topics.INFLIGHT, 0, self.name(), InflightCodec.encode(vector));
    }
}
