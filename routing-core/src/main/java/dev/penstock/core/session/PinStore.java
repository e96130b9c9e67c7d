package dev.penstock.core.session;

/**
 * Where the fleet agrees on pins: it takes a proposal only if the owner is still the one that the proposer knew, so that a
 * lost owner's session moves once. Called from any thread; never blocks and never fails: what cannot be told is dropped, and
 * told again with a later renewal.
 */
@FunctionalInterface
public interface PinStore {
    /** A router of its own: nobody is told. */
    PinStore NONE = (model, key, oldOwner, newOwner, version) -> {};

    /**
     * Sets the owner if it is {@code oldOwner} or there is none. The answer, the fleet's owner, comes to the listener.
     *
     * @param oldOwner replica number, or {@link SessionPins#NOBODY}; the same as {@code newOwner} renews the pin
     * @param version the highest that the proposer knows of this pin
     */
    void propose(String model, long key, int oldOwner, int newOwner, int version);

    /** Who hears what the fleet has agreed on; on the store's thread. */
    interface Listener {
        void told(long key, int owner, int version);

        /** The store is heard again, or for the first time, and may have lost what it was told. */
        void regained();
    }
}
