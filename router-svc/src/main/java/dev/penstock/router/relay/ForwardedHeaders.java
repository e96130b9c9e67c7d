package dev.penstock.router.relay;

import io.vertx.core.MultiMap;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which headers pass from one connection to the other: all but those that belong to a connection (RFC 9110 section
 * 7.6.1, and whatever {@code Connection} lists), and those a client might steer us with.
 */
final class ForwardedHeaders {
    private static final Set<String> HOP_BY_HOP = Set.of(
            "connection",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "expect",
            "host",
            "content-length");

    /** A client's word on where to go is not taken; keys are not an engine's business. */
    private static final Set<String> NOT_FROM_CLIENTS = Set.of(
            "authorization",
            "x-request-id",
            "target-pod",
            "x-gateway-destination-endpoint",
            "x-prefiller-host-port",
            "x-prefiller-url",
            "x-target-backend",
            "routing-strategy",
            "forwarded",
            "x-forwarded-host",
            "x-data-parallel-rank");

    private ForwardedHeaders() {}

    static void toEngine(MultiMap from, MultiMap to) {
        String connection = from.get("connection");
        from.forEach((name, value) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if (!HOP_BY_HOP.contains(lower)
                    && !NOT_FROM_CLIENTS.contains(lower)
                    && !lower.startsWith("x-penstock-")
                    && !listed(connection, lower)) {
                to.add(name, value);
            }
        });
    }

    static void toClient(MultiMap from, MultiMap to) {
        String connection = from.get("connection");
        from.forEach((name, value) -> {
            String lower = name.toLowerCase(Locale.ROOT);
            if ((!HOP_BY_HOP.contains(lower) || lower.equals("content-length"))
                    && !lower.equals("x-request-id")
                    && !lower.startsWith("x-penstock-")
                    && !listed(connection, lower)) {
                to.add(name, value);
            }
        });
    }

    private static boolean listed(@Nullable String connection, String name) {
        if (connection == null) return false;
        for (String listed : connection.split(",", -1)) {
            if (listed.trim().equalsIgnoreCase(name)) return true;
        }
        return false;
    }
}
