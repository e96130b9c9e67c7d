package dev.penstock.kit.registry;

import dev.penstock.model.Holder;

/** Told on the registry's context, each fact once it was read; first of all that is known already. */
public interface RegistryListener {
    /** It is known, or more is known of it. */
    default void holder(RegisteredHolder now) {}

    /** All that was known of it was removed. */
    default void forgotten(Holder holder) {}

    /** A role was claimed or given up. */
    default void claim(StandingClaim now) {}

    default void genesis(GenesisState now) {}
}
