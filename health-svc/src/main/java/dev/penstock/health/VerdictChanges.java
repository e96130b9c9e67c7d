package dev.penstock.health;

import dev.penstock.core.health.Transition;
import dev.penstock.kit.log.LogKeys;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Each change of a verdict: one line in the log, one count. */
final class VerdictChanges implements Consumer<Transition> {
    private static final Logger LOG = LoggerFactory.getLogger(VerdictChanges.class);

    private final HealthMetrics metrics;

    VerdictChanges(HealthMetrics metrics) {
        this.metrics = metrics;
    }

    @Override
    public void accept(Transition change) {
        metrics.became(change.after());
        LOG.atInfo()
                .addKeyValue(LogKeys.REPLICA, change.replica().name())
                .addKeyValue(LogKeys.OLD, HealthMetrics.label(change.before()))
                .addKeyValue(LogKeys.NEW, HealthMetrics.label(change.after()))
                .addKeyValue(LogKeys.REASON, change.reason())
                .log("verdict");
    }
}
