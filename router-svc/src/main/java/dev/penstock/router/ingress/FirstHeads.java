package dev.penstock.router.ingress;

import io.vertx.core.http.HttpConnection;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Connections that have not sent a request yet: those that take too long about it are closed, because somebody who holds many
 * of them holds all. One event loop's.
 */
final class FirstHeads {
    private static final long PATIENCE_NANOS = 15_000_000_000L;

    private final Map<HttpConnection, Long> connectionToSince = new IdentityHashMap<>();
    private long nowNanos;

    /** @param nowNanos when it is made */
    FirstHeads(long nowNanos) {
        this.nowNanos = nowNanos;
    }

    void opened(HttpConnection connection) {
        connectionToSince.put(connection, nowNanos);
        connection.closeHandler(closed -> connectionToSince.remove(connection));
    }

    /** Its first request has come; called for every request, and most come on connections that are long known. */
    void came(HttpConnection connection) {
        if (!connectionToSince.isEmpty()) connectionToSince.remove(connection);
    }

    /** Called each second or so. */
    void look(long now) {
        nowNanos = now;
        if (connectionToSince.isEmpty()) return;
        for (HttpConnection late : late(now)) late.close();
    }

    private Iterable<HttpConnection> late(long now) {
        return connectionToSince.entrySet().stream()
                .filter(each -> now - each.getValue() > PATIENCE_NANOS)
                .map(Map.Entry::getKey)
                .toList();
    }
}
