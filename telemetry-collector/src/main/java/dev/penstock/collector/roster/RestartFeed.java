package dev.penstock.collector.roster;

import dev.penstock.model.Sample;

/** Tells the roster owner which engines began anew, as whichever collector scrapes them says in its frames. */
public final class RestartFeed {
    private final RosterOwner owner;

    public RestartFeed(RosterOwner owner) {
        this.owner = owner;
    }

    public void sample(Sample sample) {
        if (sample.restarted()) owner.restarted(sample.number());
    }
}
