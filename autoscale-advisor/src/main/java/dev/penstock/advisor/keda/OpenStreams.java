package dev.penstock.advisor.keda;

import io.vertx.core.http.HttpConnection;
import io.vertx.grpc.server.GrpcServerResponse;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Streams that KEDA holds open. Bounded: a client that opens them without end is refused.
 * Written on the advisor's context.
 */
final class OpenStreams {
    static final int MOST = 512;

    private final Map<GrpcServerResponse<?, ?>, HttpConnection> streams = new IdentityHashMap<>();

    /** @return false when there are too many */
    boolean add(GrpcServerResponse<?, ?> stream, HttpConnection connection) {
        if (streams.size() >= MOST) return false;
        streams.put(stream, connection);
        return true;
    }

    void remove(GrpcServerResponse<?, ?> stream) {
        streams.remove(stream);
    }

    boolean on(GrpcServerResponse<?, ?> stream, HttpConnection connection) {
        return connection.equals(streams.get(stream));
    }

    /** The connection is gone, and its streams with it. */
    void forget(HttpConnection connection) {
        streams.values().removeIf(connection::equals);
    }

    int size() {
        return streams.size();
    }

    /** With status OK: KEDA opens a stream that ended so again without backing off. */
    void end(Predicate<HttpConnection> which) {
        List<GrpcServerResponse<?, ?>> ending = new ArrayList<>();
        streams.forEach((stream, connection) -> {
            if (which.test(connection)) ending.add(stream);
        });
        for (GrpcServerResponse<?, ?> stream : ending) {
            streams.remove(stream);
            stream.end();
        }
    }
}
