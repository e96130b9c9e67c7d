package dev.penstock.enginesim;

import dev.penstock.enginesim.openai.Connections;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;

/**
 * Closes connections that have idled for 5 seconds after an answer, as uvicorn does under both engines; clients whose
 * pools keep them longer meet resets. One timer for all connections, and none when there are none. A server-wide idle
 * timeout would not do: it would also end streams that are silent for a reason.
 *
 * <p>Used on the engine's event loop.
 */
final class KeepAlive {
    static final long IDLE_NANOS = 5_000_000_000L;
    private static final long SWEEP_MILLIS = 250;

    private static final long UNUSED = Long.MIN_VALUE;
    private static final long BUSY = Long.MAX_VALUE;
    private static final long NO_TIMER = -1;
    private static final int SWITCHING_PROTOCOLS = 101;

    private final Vertx vertx;
    private final LongSupplier nanoClock;
    /** When a connection's last answer ended, or UNUSED, or BUSY. */
    private final Map<HttpConnection, Long> connectionToIdleSince = new HashMap<>();

    private final Set<HttpConnection> reused = new HashSet<>();

    private long timer = NO_TIMER;

    KeepAlive(Vertx vertx, LongSupplier nanoClock) {
        this.vertx = vertx;
        this.nanoClock = nanoClock;
    }

    void opened(HttpConnection connection) {
        connectionToIdleSince.put(connection, UNUSED);
        Connections.whenClosed(connection, () -> {
            connectionToIdleSince.remove(connection);
            reused.remove(connection);
        });
        if (timer == NO_TIMER) {
            timer = vertx.setPeriodic(SWEEP_MILLIS, _ -> sweep());
        }
    }

    void busy(HttpServerRequest request) {
        HttpConnection connection = request.connection();
        Long before = connectionToIdleSince.replace(connection, BUSY);
        if (before != null && before != UNUSED) {
            reused.add(connection);
        }
        request.response().endHandler(_ -> {
            // A WebSocket is not idle when its handshake is over.
            if (request.response().getStatusCode() != SWITCHING_PROTOCOLS) {
                connectionToIdleSince.replace(connection, nanoClock.getAsLong());
            }
        });
    }

    /** Whether the request on this connection is not its first. */
    boolean reused(HttpConnection connection) {
        return reused.contains(connection);
    }

    /** Resets all connections. */
    void resetAll() {
        List.copyOf(connectionToIdleSince.keySet()).forEach(Connections::reset);
    }

    /** Closes connections that have carried no request yet; a server's shutdown leaves those open. */
    void closeUnused() {
        closeThose(idleSince -> idleSince == UNUSED);
    }

    void closeAll() {
        closeThose(_ -> true);
    }

    private void sweep() {
        long now = nanoClock.getAsLong();
        closeThose(idleSince -> idleSince != UNUSED && idleSince != BUSY && now - idleSince >= IDLE_NANOS);
        if (connectionToIdleSince.isEmpty()) {
            vertx.cancelTimer(timer);
            timer = NO_TIMER;
        }
    }

    private void closeThose(LongPredicate which) {
        List<HttpConnection> closing = new ArrayList<>();
        connectionToIdleSince.forEach((connection, idleSince) -> {
            if (which.test(idleSince)) {
                closing.add(connection);
            }
        });
        closing.forEach(HttpConnection::close);
    }
}
