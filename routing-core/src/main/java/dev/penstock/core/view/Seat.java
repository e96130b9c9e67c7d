package dev.penstock.core.view;

import org.jspecify.annotations.Nullable;

/**
 * A replica's place among the candidates for a model, and its other places.
 *
 * @param places of this one and all further ones
 */
record Seat(Candidates candidates, int slot, @Nullable Seat next, int places) {
    /** A replica with a hundred adapters is in a hundred indexes: each request would otherwise wait for all of their locks. */
    private static final int FEW = 4;

    static Seat of(Candidates candidates, int slot, @Nullable Seat next) {
        return new Seat(candidates, slot, next, next == null ? 1 : next.places + 1);
    }

    void touchAll() {
        for (Seat each = this; each != null; each = each.next) {
            if (places <= FEW) each.candidates.touch(each.slot);
            else each.candidates.leave(each.slot);
        }
    }
}
