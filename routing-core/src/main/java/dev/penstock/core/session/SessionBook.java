package dev.penstock.core.session;

import java.util.function.LongSupplier;

/**
 * The sessions' rules for one router, over the pins it knows and the store that all routers share.
 *
 * <pre>
 *   before a decision   owner()    the pin, or NOBODY: then the policy starts from the {@link PlacementRing}
 *   after it            routed()   chosen is the pin   renewed with the fleet ten times in a time to live
 *                                  chosen is another   pinned here at once, and proposed: old owner -> chosen
 *   any time            told()     the fleet's word replaces this router's, if it is later
 * </pre>
 *
 * The policy moves a session only when its owner is gone, shut out or busier than affinity is worth; a session is never moved
 * back. If two routers move it at once, the one that comes first to the store wins, and the other takes that owner over.
 * Any thread; a request without a session costs one comparison.
 */
public final class SessionBook implements PinStore.Listener {
    private final SessionPins pins;
    private final PinStore store;
    private final LongSupplier nanoClock;

    /** @param nanoClock for what the store tells, which comes by itself */
    public SessionBook(SessionPins pins, PinStore store, LongSupplier nanoClock) {
        this.pins = pins;
        this.store = store;
        this.nanoClock = nanoClock;
    }

    /** Number of the replica that the session is pinned to, or {@link SessionPins#NOBODY}. */
    public int owner(long key, long nowNanos) {
        return key == SessionKey.NONE ? SessionPins.NOBODY : pins.owner(key, nowNanos);
    }

    /**
     * A request of the session goes to {@code chosen}.
     *
     * @param pinned what {@link #owner} said before the decision
     */
    public void routed(String model, long key, int pinned, int chosen, long nowNanos) {
        if (key == SessionKey.NONE) return;
        if (chosen == pinned) {
            if (pins.renewalDue(key, nowNanos)) store.propose(model, key, pinned, pinned, pins.version(key));
            return;
        }
        int known = pins.owner(key, nowNanos);
        // Another request, or another router, has moved it since this one looked: one move is enough.
        if (known != pinned && known != SessionPins.NOBODY) return;
        pins.pin(key, chosen, nowNanos);
        store.propose(model, key, pinned, chosen, pins.version(key));
    }

    @Override
    public void told(long key, int owner, int version) {
        pins.pin(key, owner, version, nanoClock.getAsLong());
    }

    @Override
    public void regained() {
        pins.renewAll(nanoClock.getAsLong());
    }
}
