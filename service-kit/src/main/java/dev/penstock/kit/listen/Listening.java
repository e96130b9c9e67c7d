package dev.penstock.kit.listen;

import io.vertx.core.transport.Transport;
import org.jspecify.annotations.Nullable;

/**
 * The best transport that this machine has, whose listeners ignore {@code Upgrade: h2c} and close connections on which nobody
 * asks anything.
 */
public final class Listening implements Transport {
    /** Of a handshake and a head, a slow network's included. */
    private static final long FIRST_MILLIS = 15_000;

    private final Transport best;
    private final io.vertx.core.spi.transport.Transport implementation;

    private final String reason;

    private Listening(Transport best, String reason, long firstMillis) {
        this.best = best;
        this.reason = reason;
        this.implementation = new ListeningTransport(best.implementation(), new Accepting(firstMillis));
    }

    public static Listening best() {
        Transport natively = Transport.nativeTransport();
        if (natively != null && natively.available()) return over(natively, "available", FIRST_MILLIS);
        String missing = natively == null ? "none for this system" : String.valueOf(natively.unavailabilityCause());
        return over(Transport.NIO, missing, FIRST_MILLIS);
    }

    static Listening over(Transport transport, String reason, long firstMillis) {
        return new Listening(transport, reason, firstMillis);
    }

    /** Why it is this one. */
    public String reason() {
        return reason;
    }

    /** Epoll's name, or that of what is taken instead. */
    @Override
    public String name() {
        return best.name();
    }

    @Override
    public boolean available() {
        return true;
    }

    @Override
    public @Nullable Throwable unavailabilityCause() {
        return null;
    }

    @Override
    public io.vertx.core.spi.transport.Transport implementation() {
        return implementation;
    }
}
