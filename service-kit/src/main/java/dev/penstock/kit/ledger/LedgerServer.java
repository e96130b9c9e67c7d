package dev.penstock.kit.ledger;

import dev.penstock.kit.management.PortTakenException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerOptions;
import io.vertx.grpc.server.GrpcServerRequest;
import java.net.BindException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An owner's side, over h2c, on the context that started it. */
public final class LedgerServer {
    static final ServiceName SERVICE = ServiceName.create("penstock.ledger.v1", "Ledger");
    static final String FOLLOW_NAME = "Follow";
    /** 10,000 replicas in one Sync are some 100 kB. */
    static final long MOST_MESSAGE_BYTES = 1 << 20;

    private static final ServiceMethod<
                    dev.penstock.kit.ledger.proto.FromHolder, dev.penstock.kit.ledger.proto.FromOwner>
            FOLLOW = ServiceMethod.server(
                    SERVICE,
                    FOLLOW_NAME,
                    GrpcMessageEncoder.encoder(),
                    GrpcMessageDecoder.decoder(dev.penstock.kit.ledger.proto.FromHolder.newBuilder()));

    /** 64 routers with 64 pools. */
    private static final int MOST_STREAMS = 4_096;

    /** Holders report each 100 ms and ping each 2 s. */
    private static final int SILENT_SECONDS = 10;

    private final LedgerHandler handler;
    private final Map<GrpcStream<?, ?, ?>, HttpConnection> open = new LinkedHashMap<>();
    private @Nullable HttpServer server;

    private LedgerServer(LedgerHandler handler) {
        this.handler = handler;
    }

    /** @param port 0 takes a free one */
    public static Future<LedgerServer> listen(Vertx vertx, String host, int port, LedgerHandler handler) {
        LedgerServer ledger = new LedgerServer(handler);
        GrpcServer calls = GrpcServer.server(vertx, new GrpcServerOptions().setMaxMessageSize(MOST_MESSAGE_BYTES))
                .callHandler(FOLLOW, ledger::opened);
        HttpServerOptions options = new HttpServerOptions()
                .setReadIdleTimeout(SILENT_SECONDS)
                .setIdleTimeoutUnit(TimeUnit.SECONDS)
                .setTcpNoDelay(true)
                .setInitialSettings(new Http2Settings().setMaxConcurrentStreams(MOST_STREAMS));
        return vertx.createHttpServer(options)
                .connectionHandler(connection -> connection.closeHandler(gone -> ledger.lost(connection)))
                .requestHandler(calls)
                .listen(port, host)
                .recover(failure -> Future.failedFuture(
                        failure instanceof BindException
                                ? new PortTakenException(port, "admission.ledgerPort")
                                : failure))
                .map(listening -> {
                    ledger.server = listening;
                    return ledger;
                });
    }

    public int port() {
        HttpServer listening = server;
        return listening == null ? -1 : listening.actualPort();
    }

    public int openStreams() {
        return open.size();
    }

    /** Ends all streams in order, then their connections. */
    public Future<Void> close() {
        List.copyOf(open.keySet()).forEach(GrpcStream::close);
        HttpServer listening = server;
        return listening == null ? Future.succeededFuture() : listening.close();
    }

    private void opened(
            GrpcServerRequest<dev.penstock.kit.ledger.proto.FromHolder, dev.penstock.kit.ledger.proto.FromOwner>
                    request) {
        if (open.size() >= MOST_STREAMS) {
            request.response()
                    .status(GrpcStatus.RESOURCE_EXHAUSTED)
                    .statusMessage("more than " + MOST_STREAMS + " streams are open")
                    .end();
            return;
        }
        var stream = new GrpcStream<FromHolder, FromOwner, dev.penstock.kit.ledger.proto.FromOwner>(
                request.response(), LedgerMessages::toProto);
        open.put(stream, request.connection());
        LedgerReceiver<FromHolder> receiver = handler.opened(stream);
        stream.receiver(new LedgerReceiver<>() {
            @Override
            public void message(FromHolder message) {
                receiver.message(message);
            }

            @Override
            public void ended(String reason) {
                open.remove(stream);
                receiver.ended(reason);
            }
        });
        // a client that goes away is told of in one of these ways, depending on how it goes
        request.errorHandler(error -> stream.abort("ended by the holder: " + error));
        request.exceptionHandler(broken -> stream.abort("broken: " + broken.getMessage()));
        request.endHandler(end -> stream.endOrderly("ended by the holder"));
        request.handler(message -> stream.arrived(() -> LedgerMessages.fromProto(message)));
    }

    private void lost(HttpConnection connection) {
        open.entrySet().stream()
                .filter(each -> each.getValue().equals(connection))
                .map(Map.Entry::getKey)
                .toList()
                .forEach(stream -> stream.abort("the connection is gone"));
    }
}
