package dev.penstock.enginesim.openai;

import dev.penstock.enginesim.step.Profile;
import java.util.List;

/**
 * The names an engine answers to; the first is the model's own, and what a request without a name gets.
 *
 * @param maxModelLen context length in tokens
 * @param use what the model is for
 */
public record ServedModels(List<String> names, int maxModelLen, Profile.Use use) {
    private static final int EMBEDDING_MODEL_DIMENSIONS = 2048;
    private static final int OTHER_DIMENSIONS = 256;

    public ServedModels {
        names = List.copyOf(names);
        if (names.isEmpty()) {
            throw new IllegalArgumentException("models: expected at least one name, got none");
        }
    }

    public String first() {
        return names.getFirst();
    }

    public boolean pooling() {
        return use == Profile.Use.POOLING;
    }

    /** Length of a vector when the request does not say. */
    int dimensions() {
        return pooling() ? EMBEDDING_MODEL_DIMENSIONS : OTHER_DIMENSIONS;
    }
}
