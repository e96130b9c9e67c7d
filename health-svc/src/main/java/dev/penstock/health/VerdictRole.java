package dev.penstock.health;

import dev.penstock.core.health.FleetHealth;
import dev.penstock.health.publish.VerdictPublisher;
import dev.penstock.kit.claims.ClaimHolder;
import dev.penstock.model.Header;

/**
 * Whether this instance judges: it has the claim, and has read roster and verdicts to the end, so that it goes on from what
 * the owner before it said. Lives on health-svc's context.
 */
final class VerdictRole implements ClaimHolder.Listener {
    private final FleetHealth fleet;
    private final VerdictPublisher publisher;
    private long epoch = Header.NO_EPOCH;
    private boolean factsRead;

    VerdictRole(FleetHealth fleet, VerdictPublisher publisher) {
        this.fleet = fleet;
        this.publisher = publisher;
    }

    @Override
    public void gained(long claimEpoch) {
        epoch = claimEpoch;
        begin();
    }

    @Override
    public void lost() {
        epoch = Header.NO_EPOCH;
        fleet.follow();
        publisher.end();
    }

    void factsRead() {
        factsRead = true;
        begin();
    }

    private void begin() {
        if (epoch == Header.NO_EPOCH || !factsRead) return;
        fleet.lead();
        publisher.begin(epoch);
    }
}
