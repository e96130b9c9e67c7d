package dev.penstock.router.ingress;

import dev.penstock.router.relay.Watch;
import dev.penstock.router.relay.Wire;
import io.vertx.core.http.HttpConnection;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The connections of clients, and how long each has been without a request: one that takes too long about its first, or that is
 * idle for longer than any client waits, is closed, because somebody who holds many of them holds all. An idle handler in each
 * pipeline would be passed by every read and write. One event loop's.
 */
final class Connections {
    private static final long FIRST_NANOS = 15_000_000_000L;
    /** SDKs give a request 600 s. */
    private static final long IDLE_NANOS = 720_000_000_000L;

    private final Watch running;
    private final Map<HttpConnection, Since> connectionToSince = new IdentityHashMap<>();
    private long nowNanos;

    private static final class Since {
        long nanos;
        boolean asked;
        boolean busy;
        boolean closing;
    }

    /**
     * @param running whose connections are busy, however long ago their request began
     * @param nowNanos when it is made
     */
    Connections(Watch running, long nowNanos) {
        this.running = running;
        this.nowNanos = nowNanos;
    }

    void opened(HttpConnection connection) {
        Since since = new Since();
        since.nanos = nowNanos;
        connectionToSince.put(connection, since);
        // Each request on it is told by itself; unheard, it would be a line in the log.
        connection.exceptionHandler(broken -> {});
        connection.closeHandler(closed -> connectionToSince.remove(connection));
    }

    /** A request has come; called for every one. */
    void asked(HttpConnection connection) {
        Since since = connectionToSince.get(connection);
        if (since == null) return;
        since.nanos = nowNanos;
        since.asked = true;
    }

    /** Called each second or so. */
    void look(long now) {
        nowNanos = now;
        List<HttpConnection> late = new ArrayList<>();
        connectionToSince.forEach((connection, since) -> {
            if (now - since.nanos > (since.asked ? IDLE_NANOS : FIRST_NANOS)) late.add(connection);
        });
        if (late.isEmpty()) return;
        Set<HttpConnection> busy = running.connections();
        for (HttpConnection each : late) {
            Since since = connectionToSince.get(each);
            if (since == null) continue;
            if (busy.contains(each)) since.busy = true;
            else if (since.busy) {
                // Its request has ended: it is idle from here on.
                since.busy = false;
                since.nanos = now;
            } else end(each);
        }
    }

    /** Closing waits for what its client has not read; one that reads nothing is cut off by the next look. */
    private void end(HttpConnection late) {
        Since since = connectionToSince.get(late);
        if (since == null) return;
        if (since.closing) {
            // One that was switched to another protocol does not say that it is closed.
            connectionToSince.remove(late);
            Wire.cut(late);
        } else {
            since.closing = true;
            late.close();
        }
    }
}
