package dev.penstock.router.job;

import dev.penstock.core.view.FleetView;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.core.view.RosterImage;

/** Who has what an id is of, as the view knows it. */
final class Owners {
    private Owners() {}

    sealed interface Owner {}

    record Present(ReplicaEntry replica) implements Owner {}

    /** It left the roster, or was started anew. */
    record Gone() implements Owner {}

    /** No replica at all is known: that says nothing of this one. */
    record Unknown() implements Owner {}

    static Owner of(JobId id, FleetView view) {
        RosterImage roster = view.current();
        ReplicaEntry entry = roster.byNumber(id.replica());
        if (entry != null && id.isOf(entry.replica())) return new Present(entry);
        return roster.entries().isEmpty() ? new Unknown() : new Gone();
    }
}
