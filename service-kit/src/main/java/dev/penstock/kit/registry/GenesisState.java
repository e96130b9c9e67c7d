package dev.penstock.kit.registry;

/** Whether the topics are those that were read first. */
public sealed interface GenesisState {
    /** Not read yet, never written, or taken away. */
    record Missing() implements GenesisState {}

    /** The one that was read first, and nothing was written anew. */
    record Present(String id) implements GenesisState {}

    /** Another one than was read first, or offsets that came twice: facts may have been lost. For as long as this process lives. */
    record Changed(String first, String problem) implements GenesisState {}

    default boolean sound() {
        return this instanceof Present;
    }
}
