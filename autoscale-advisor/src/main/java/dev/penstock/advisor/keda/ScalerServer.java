package dev.penstock.advisor.keda;

import com.google.protobuf.Message;
import dev.penstock.advisor.advice.Recommendations;
import dev.penstock.advisor.keda.ScalerMetadata.WrongMetadataException;
import dev.penstock.advisor.keda.proto.GetMetricSpecResponse;
import dev.penstock.advisor.keda.proto.GetMetricsRequest;
import dev.penstock.advisor.keda.proto.GetMetricsResponse;
import dev.penstock.advisor.keda.proto.IsActiveResponse;
import dev.penstock.advisor.keda.proto.ScaledObjectRef;
import dev.penstock.core.scale.ServingRule;
import dev.penstock.kit.management.PortTakenException;
import dev.penstock.model.PoolId;
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
import io.vertx.grpc.server.GrpcServerRequest;
import io.vertx.grpc.server.GrpcServerResponse;
import java.net.BindException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * KEDA's external scaler over h2c. Every call is answered at once and from memory: KEDA sets no deadline, and one call that
 * hangs stalls its whole poll. {@code GetMetricSpec} of metadata that can be read never fails, because KEDA counts no failure
 * of it and falls back to nothing. Runs on the advisor's context.
 */
public final class ScalerServer {
    private static final Logger LOG = LoggerFactory.getLogger(ScalerServer.class);
    private static final ServiceName SERVICE = ServiceName.create("externalscaler", "ExternalScaler");
    private static final ServiceMethod<ScaledObjectRef, IsActiveResponse> IS_ACTIVE =
            method("IsActive", ScaledObjectRef.newBuilder());
    private static final ServiceMethod<ScaledObjectRef, IsActiveResponse> STREAM_IS_ACTIVE =
            method("StreamIsActive", ScaledObjectRef.newBuilder());
    private static final ServiceMethod<ScaledObjectRef, GetMetricSpecResponse> GET_METRIC_SPEC =
            method("GetMetricSpec", ScaledObjectRef.newBuilder());
    private static final ServiceMethod<GetMetricsRequest, GetMetricsResponse> GET_METRICS =
            method("GetMetrics", GetMetricsRequest.newBuilder());
    private static final ServiceMethod<ScaledObjectRef, GetMetricSpecResponse> STREAM_METRIC_SPEC =
            method("StreamMetricSpec", ScaledObjectRef.newBuilder());

    /** A state that does not change is told again, so that a dead connection is found out. */
    private static final long REFRESH_NANOS = Duration.ofSeconds(10).toNanos();
    /** Clients resolve names anew when a connection ends, and only then find advisors that came later. */
    private static final long CONNECTION_AGE_MILLIS = Duration.ofMinutes(5).toMillis();

    private static final int CONNECTION_GRACE_SECONDS = 5;
    private static final int MOST_WARNINGS = 100;

    private final Vertx vertx;
    private final Recommendations recommendations;
    private final Counted counted;
    private final LongSupplier nanoClock;
    private final OpenStreams streams = new OpenStreams();
    private final Map<GrpcServerResponse<ScaledObjectRef, IsActiveResponse>, Watch> watches = new HashMap<>();
    private final Set<String> warned = new HashSet<>();

    /** Told of each answer. */
    @FunctionalInterface
    public interface Counted {
        void answered(String method, String status);
    }

    /** What a stream is about, and what it was told last. */
    private record Watch(ScalerMetadata metadata, @Nullable Boolean told, long toldNanos) {}

    public ScalerServer(Vertx vertx, Recommendations recommendations, Counted counted, LongSupplier nanoClock) {
        this.vertx = vertx;
        this.recommendations = recommendations;
        this.counted = counted;
        this.nanoClock = nanoClock;
    }

    /** On the context it is called on; everything it reads is written there. */
    public Future<HttpServer> listen(String host, int port) {
        GrpcServer calls = GrpcServer.server(vertx)
                .callHandler(IS_ACTIVE, request -> request.handler(ref -> isActive(request, ref)))
                .callHandler(STREAM_IS_ACTIVE, request -> request.handler(ref -> streamIsActive(request, ref)))
                .callHandler(GET_METRIC_SPEC, request -> request.handler(ref -> metricSpec(request, ref)))
                .callHandler(GET_METRICS, request -> request.handler(asked -> metrics(request, asked)))
                .callHandler(STREAM_METRIC_SPEC, request -> request.handler(ref -> streamMetricSpec(request, ref)));
        // streams stay open on the one connection that calls share, and must not keep those waiting
        HttpServerOptions options = new HttpServerOptions()
                .setInitialSettings(new Http2Settings().setMaxConcurrentStreams(2L * OpenStreams.MOST));
        return vertx.createHttpServer(options)
                .connectionHandler(this::limitAge)
                .requestHandler(calls)
                .listen(port, host)
                .recover(failure -> Future.failedFuture(
                        failure instanceof BindException ? new PortTakenException(port, "advisor.grpcPort") : failure));
    }

    /** Tells streams what changed. */
    public void tick() {
        for (GrpcServerResponse<ScaledObjectRef, IsActiveResponse> stream : Set.copyOf(watches.keySet())) tell(stream);
    }

    /** Ends all streams in order. */
    public void endStreams() {
        watches.clear();
        streams.end(connection -> true);
    }

    public int openStreams() {
        return streams.size();
    }

    private void isActive(GrpcServerRequest<ScaledObjectRef, IsActiveResponse> request, ScaledObjectRef ref) {
        ScalerMetadata metadata = metadata(request, ref);
        if (metadata == null) return;
        ServingRule.Number number = number(request, metadata);
        if (number != null) end(request, Messages.active(number.active()));
    }

    private void metricSpec(GrpcServerRequest<ScaledObjectRef, GetMetricSpecResponse> request, ScaledObjectRef ref) {
        ScalerMetadata metadata = metadata(request, ref);
        if (metadata != null) end(request, Messages.spec(metadata.metricName()));
    }

    private void metrics(GrpcServerRequest<GetMetricsRequest, GetMetricsResponse> request, GetMetricsRequest asked) {
        ScalerMetadata metadata = metadata(request, asked.getScaledObjectRef());
        if (metadata == null) return;
        String name = asked.getMetricName();
        if (!name.isEmpty() && !name.equals(metadata.metricName())) {
            String message = "metricName: \"" + name + "\", expected " + metadata.metricName();
            fail(request, GrpcStatus.INVALID_ARGUMENT, message);
            return;
        }
        ServingRule.Number number = number(request, metadata);
        if (number != null) end(request, Messages.value(metadata.metricName(), number.desired()));
    }

    private void streamIsActive(GrpcServerRequest<ScaledObjectRef, IsActiveResponse> request, ScaledObjectRef ref) {
        ScalerMetadata metadata = metadata(request, ref);
        if (metadata == null || !open(request)) return;
        watches.put(request.response(), new Watch(metadata, null, 0));
        tell(request.response());
    }

    private void streamMetricSpec(
            GrpcServerRequest<ScaledObjectRef, GetMetricSpecResponse> request, ScaledObjectRef ref) {
        ScalerMetadata metadata = metadata(request, ref);
        if (metadata == null || !open(request)) return;
        request.response().write(Messages.spec(metadata.metricName()));
    }

    /** Nothing is told while nothing can be said: only true acts at once, and false may scale to zero. */
    private void tell(GrpcServerResponse<ScaledObjectRef, IsActiveResponse> stream) {
        Watch watch = watches.get(stream);
        if (watch == null || stream.writeQueueFull()) return;
        ServingRule.Answer answer = recommendations.answer(watch.metadata().poolId(recommendations::knows));
        if (!(answer instanceof ServingRule.Number number)) return;
        long now = nanoClock.getAsLong();
        Boolean told = watch.told();
        if (told != null && told == number.active() && now - watch.toldNanos() < REFRESH_NANOS) return;
        watches.put(stream, new Watch(watch.metadata(), number.active(), now));
        stream.write(Messages.active(number.active())).onFailure(broken -> forget(stream));
    }

    private boolean open(GrpcServerRequest<ScaledObjectRef, ?> request) {
        GrpcServerResponse<ScaledObjectRef, ?> response = request.response();
        if (!streams.add(response, request.connection())) {
            fail(request, GrpcStatus.RESOURCE_EXHAUSTED, "more than " + OpenStreams.MOST + " streams are open");
            return false;
        }
        counted.answered(request.methodName(), GrpcStatus.OK.name());
        // a client that goes away is told of in one of these ways, depending on how it goes
        request.errorHandler(cancelled -> forget(response));
        request.exceptionHandler(reset -> forget(response));
        response.exceptionHandler(broken -> forget(response));
        return true;
    }

    private void forget(GrpcServerResponse<ScaledObjectRef, ?> stream) {
        streams.remove(stream);
        watches.remove(stream);
    }

    private @Nullable ScalerMetadata metadata(GrpcServerRequest<?, ?> request, ScaledObjectRef ref) {
        try {
            ScalerMetadata metadata = ScalerMetadata.read(ref);
            for (String key : ScalerMetadata.unknownKeys(ref)) warn(ref, key);
            return metadata;
        } catch (WrongMetadataException wrong) {
            fail(request, GrpcStatus.INVALID_ARGUMENT, String.valueOf(wrong.getMessage()));
            return null;
        }
    }

    private ServingRule.@Nullable Number number(GrpcServerRequest<?, ?> request, ScalerMetadata metadata) {
        PoolId pool = metadata.poolId(recommendations::knows);
        if (!recommendations.knows(pool)) {
            fail(request, GrpcStatus.NOT_FOUND, "scalerMetadata.pool: \"" + pool + "\", expected a pool that is known");
            return null;
        }
        return switch (recommendations.answer(pool)) {
            case ServingRule.Number number -> number;
            case ServingRule.Unavailable unavailable -> {
                fail(request, GrpcStatus.UNAVAILABLE, unavailable.reason());
                yield null;
            }
        };
    }

    private <T> void end(GrpcServerRequest<?, T> request, T answer) {
        counted.answered(request.methodName(), GrpcStatus.OK.name());
        request.response().end(answer);
    }

    private void fail(GrpcServerRequest<?, ?> request, GrpcStatus status, String message) {
        counted.answered(request.methodName(), status.name());
        request.response().status(status).statusMessage(message).end();
    }

    private void warn(ScaledObjectRef ref, String key) {
        String where = ref.getNamespace() + "/" + ref.getName();
        if (warned.size() >= MOST_WARNINGS || !warned.add(where + " " + key)) return;
        LOG.atWarn()
                .addKeyValue("scaledObject", where)
                .addKeyValue("key", key)
                .log("a key of scalerMetadata means nothing here");
    }

    private void limitAge(HttpConnection connection) {
        long age = ThreadLocalRandom.current().nextLong(CONNECTION_AGE_MILLIS, 2 * CONNECTION_AGE_MILLIS);
        long timer = vertx.setTimer(age, old -> {
            watches.keySet().removeIf(stream -> streams.on(stream, connection));
            streams.end(connection::equals);
            connection.shutdown(CONNECTION_GRACE_SECONDS, TimeUnit.SECONDS);
        });
        connection.closeHandler(closed -> {
            vertx.cancelTimer(timer);
            watches.keySet().removeIf(stream -> streams.on(stream, connection));
            streams.forget(connection);
        });
    }

    private static <Q extends Message, A extends Message> ServiceMethod<Q, A> method(
            String name, Message.Builder asked) {
        GrpcMessageDecoder<Q> decoder = GrpcMessageDecoder.decoder(asked);
        return ServiceMethod.server(SERVICE, name, GrpcMessageEncoder.encoder(), decoder);
    }
}
