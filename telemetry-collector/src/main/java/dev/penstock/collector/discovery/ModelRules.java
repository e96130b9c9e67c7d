package dev.penstock.collector.discovery;

/** What an engine may say of what it serves: its answer goes into a record that every router reads. */
final class ModelRules {
    static final int MOST_MODELS = 64;
    /** Engines hold a few adapters at once on the GPU and some hundreds in memory. */
    static final int MOST_ADAPTERS = 256;

    static final int LONGEST_NAME = 256;
    static final String NAME = "a name of 1 to " + LONGEST_NAME + " characters, none of them a control character";

    private ModelRules() {}

    static boolean name(String name) {
        return !name.isBlank() && name.length() <= LONGEST_NAME && name.chars().noneMatch(Character::isISOControl);
    }
}
