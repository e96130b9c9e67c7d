package dev.penstock.core.view;

import org.jspecify.annotations.Nullable;

/** A replica's place among the candidates for a model, and its other places. */
record Seat(Candidates candidates, int slot, @Nullable Seat next) {
    void touch() {
        candidates.touch(slot);
    }
}
