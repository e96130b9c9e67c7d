package dev.penstock.fleetsim;

import dev.penstock.core.session.PinStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * The central store: compares, sets and tells every router, as router-svc's script in Redis does, with the network's delay on
 * each way.
 */
final class SimPins {
    private static final long LEAST_DELAY_NANOS = 200_000L;
    private static final long JITTER_NANOS = 5_000_000L;

    private final EventQueue events;
    private final RandomGenerator random;
    private final Map<Long, Pin> keyToPin = new HashMap<>();
    private final List<PinStore.Listener> listeners = new ArrayList<>();

    private record Pin(int owner, int version) {}

    SimPins(EventQueue events, RandomGenerator random) {
        this.events = events;
        this.random = random;
    }

    /** One router's way to it. */
    PinStore store() {
        return (model, key, oldOwner, newOwner, version) ->
                events.after(delay(), () -> decide(key, oldOwner, newOwner, version));
    }

    void listen(PinStore.Listener listener) {
        listeners.add(listener);
    }

    /** An answer to one is told to all here: it says what they know already. */
    private void decide(long key, int oldOwner, int newOwner, int known) {
        Pin pin = keyToPin.get(key);
        Pin next;
        if (pin != null && pin.owner == newOwner) next = new Pin(newOwner, Math.max(pin.version, known));
        else if (pin != null && pin.owner != oldOwner) next = pin;
        else next = new Pin(newOwner, Math.max(pin == null ? 0 : pin.version, known) + 1);
        keyToPin.put(key, next);
        for (PinStore.Listener each : listeners) events.after(delay(), () -> each.told(key, next.owner, next.version));
    }

    private long delay() {
        return LEAST_DELAY_NANOS + random.nextLong(JITTER_NANOS);
    }
}
