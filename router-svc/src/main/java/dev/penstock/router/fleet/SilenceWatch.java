package dev.penstock.router.fleet;

import dev.penstock.core.view.FleetView;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.kit.log.LogKeys;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Quarantines replicas whose open streams are silent. Lives on the view's context. */
public final class SilenceWatch {
    private static final Logger LOG = LoggerFactory.getLogger(SilenceWatch.class);

    private final FleetView view;
    private final RandomGenerator random;

    public SilenceWatch(FleetView view, RandomGenerator random) {
        this.view = view;
        this.random = random;
    }

    /** Called a few times a second. */
    public void look(long nowNanos) {
        for (ReplicaEntry entry : view.current().entries()) {
            int streams = entry.cell().streams().count();
            if (streams > 0 && entry.cell().shutIfSilent(nowNanos, random)) {
                LOG.atInfo()
                        .addKeyValue(LogKeys.REPLICA, entry.replica().name())
                        .addKeyValue(LogKeys.REASON, "silent")
                        .addKeyValue(LogKeys.COUNT, streams)
                        .log("replica quarantined");
            }
        }
    }
}
