package dev.penstock.core.view;

/** A replica's place among the candidates for a model. */
record Seat(Candidates candidates, int slot) {
    static final Seat[] NONE = {};

    void touch() {
        candidates.touch(slot);
    }
}
