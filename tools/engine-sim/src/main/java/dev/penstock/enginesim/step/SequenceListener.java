package dev.penstock.enginesim.step;

/** Told at the end of each step in which its sequence gained a token, or ended (embeddings: only that). */
@FunctionalInterface
public interface SequenceListener {
    void progressed(Sequence sequence);
}
