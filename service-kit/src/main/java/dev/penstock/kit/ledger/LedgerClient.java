package dev.penstock.kit.ledger;

import dev.penstock.kit.run.PeriodicTask;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.client.GrpcClientOptions;
import io.vertx.grpc.client.GrpcClientRequest;
import io.vertx.grpc.client.GrpcClientResponse;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.ServiceMethod;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A holder's side. Streams to one address share a connection. Everything happens on the context that opens streams. */
public final class LedgerClient {
    private static final ServiceMethod<
                    dev.penstock.kit.ledger.proto.FromOwner, dev.penstock.kit.ledger.proto.FromHolder>
            FOLLOW = ServiceMethod.client(
                    LedgerServer.SERVICE,
                    LedgerServer.FOLLOW_NAME,
                    GrpcMessageEncoder.encoder(),
                    GrpcMessageDecoder.decoder(dev.penstock.kit.ledger.proto.FromOwner.newBuilder()));

    private static final int CONNECT_MILLIS = 1_000;
    /** An owner says nothing for long; without these a host that vanished would be taken for a quiet one. */
    private static final Duration PING = Duration.ofSeconds(2);

    private static final Buffer PING_DATA = Buffer.buffer(new byte[8]);

    private final Vertx vertx;
    private final GrpcClient client;
    private final Set<GrpcStream<?, ?, ?>> open = new HashSet<>();

    public LedgerClient(Vertx vertx) {
        this.vertx = vertx;
        HttpClientOptions http = new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false)
                .setConnectTimeout(CONNECT_MILLIS)
                .setTcpNoDelay(true);
        client = GrpcClient.client(
                vertx, new GrpcClientOptions().setMaxMessageSize(LedgerServer.MOST_MESSAGE_BYTES), http);
    }

    /**
     * Fails when nobody is there within a second or two; then the receiver is told nothing.
     *
     * @param address {@code host:port}, as the owner's claim tells it
     */
    public Future<LedgerStream<FromHolder>> open(String address, LedgerReceiver<FromOwner> receiver) {
        SocketAddress server;
        try {
            server = parse(address);
        } catch (IllegalArgumentException malformed) {
            return Future.failedFuture("ledger address '" + address + "', expected host:port");
        }
        Future<GrpcClientRequest<dev.penstock.kit.ledger.proto.FromHolder, dev.penstock.kit.ledger.proto.FromOwner>>
                asked = client.request(server, FOLLOW);
        return asked.timeout(2L * CONNECT_MILLIS, TimeUnit.MILLISECONDS)
                .onFailure(late -> asked.onSuccess(GrpcClientRequest::cancel))
                .map(request -> begin(request, receiver));
    }

    /** An IPv6 address is in brackets. */
    static SocketAddress parse(String address) {
        int colon = address.lastIndexOf(':');
        String host = address.substring(0, Math.max(0, colon));
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        return SocketAddress.inetSocketAddress(
                Integer.parseInt(address.substring(colon + 1)),
                bracketed ? host.substring(1, host.length() - 1) : host);
    }

    /** Ends all streams in order. */
    public Future<Void> close() {
        List.copyOf(open).forEach(GrpcStream::close);
        return client.close();
    }

    private LedgerStream<FromHolder> begin(
            GrpcClientRequest<dev.penstock.kit.ledger.proto.FromHolder, dev.penstock.kit.ledger.proto.FromOwner>
                    request,
            LedgerReceiver<FromOwner> receiver) {
        var stream = new GrpcStream<FromOwner, FromHolder, dev.penstock.kit.ledger.proto.FromHolder>(
                request, LedgerMessages::toProto);
        PeriodicTask pings =
                PeriodicTask.start(vertx, "ping of a ledger", PING, 0, () -> ping(request.connection(), stream));
        open.add(stream);
        stream.receiver(new LedgerReceiver<>() {
            @Override
            public void message(FromOwner message) {
                receiver.message(message);
            }

            @Override
            public void ended(String reason) {
                pings.close();
                open.remove(stream);
                receiver.ended(reason);
            }
        });
        request.response()
                .onSuccess(response -> read(response, stream))
                .onFailure(broken -> stream.abort("broken: " + broken.getMessage()));
        return stream;
    }

    private static void read(
            GrpcClientResponse<dev.penstock.kit.ledger.proto.FromHolder, dev.penstock.kit.ledger.proto.FromOwner>
                    response,
            GrpcStream<FromOwner, ?, ?> stream) {
        response.exceptionHandler(broken -> stream.abort("broken: " + broken.getMessage()));
        response.errorHandler(error -> stream.abort("ended by the owner: " + error));
        response.endHandler(end -> stream.endOrderly("ended by the owner: " + response.status()));
        response.handler(message -> stream.arrived(() -> LedgerMessages.fromProto(message)));
    }

    private static Future<?> ping(HttpConnection connection, GrpcStream<?, ?, ?> stream) {
        return connection
                .ping(PING_DATA)
                .timeout(PING.toMillis(), TimeUnit.MILLISECONDS)
                .onFailure(silent -> {
                    stream.abort("the owner's host is silent");
                    connection.close();
                })
                .otherwiseEmpty();
    }
}
