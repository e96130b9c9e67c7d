package dev.penstock.advisor.keda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.advisor.Served;
import dev.penstock.advisor.keda.proto.ExternalScalerGrpc;
import dev.penstock.advisor.keda.proto.GetMetricsRequest;
import dev.penstock.advisor.keda.proto.IsActiveResponse;
import dev.penstock.advisor.keda.proto.MetricSpec;
import dev.penstock.advisor.keda.proto.MetricValue;
import dev.penstock.advisor.keda.proto.ScaledObjectRef;
import dev.penstock.testkit.Await;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.vertx.core.http.HttpServer;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** As KEDA calls it, by grpc-java, which shares nothing with the server. */
class ScalerServerTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    private final Served served = new Served(3);
    private final List<String> answers = new CopyOnWriteArrayList<>();
    private final ScalerServer scaler = new ScalerServer(
            served.vertx, served.recommendations, (method, status) -> answers.add(method + " " + status), served.clock);
    private HttpServer server;
    private ManagedChannel channel;
    private ExternalScalerGrpc.ExternalScalerBlockingStub keda;

    @BeforeEach
    void start() throws Exception {
        server = Served.join(served.on(() -> scaler.listen("127.0.0.1", 0)));
        channel = ManagedChannelBuilder.forAddress("127.0.0.1", server.actualPort())
                .usePlaintext()
                .build();
        keda = ExternalScalerGrpc.newBlockingStub(channel).withDeadlineAfter(30, TimeUnit.SECONDS);
    }

    @AfterEach
    void stop() throws Exception {
        channel.shutdownNow();
        served.close();
    }

    @Test
    void a_poll_in_kedas_order() throws Exception {
        served.publish(17, true);

        MetricSpec spec = keda.getMetricSpec(ref()).getMetricSpecs(0);
        MetricValue value = keda.getMetrics(metrics(spec.getMetricName())).getMetricValues(0);

        assertThat(spec.getMetricName()).isEqualTo("penstock-desired-replicas");
        assertThat(spec.getTargetSize()).isEqualTo(1);
        assertThat(spec.getTargetSizeFloat()).isEqualTo(1.0);
        assertThat(value.getMetricName()).isEqualTo("penstock-desired-replicas");
        assertThat(value.getMetricValue()).isEqualTo(17);
        assertThat(value.getMetricValueFloat()).isEqualTo(17.0);
        assertThat(keda.isActive(ref()).getResult()).isTrue();
        assertThat(answers).containsExactly("GetMetricSpec OK", "GetMetrics OK", "IsActive OK");
    }

    @Test
    void age_holds_the_present_count_and_then_is_an_error() throws Exception {
        served.publish(17, true);
        served.clock.advance(Duration.ofSeconds(4));
        assertThat(keda.getMetrics(metrics("")).getMetricValues(0).getMetricValue())
                .isEqualTo(3);

        served.clock.advance(Duration.ofSeconds(27));

        assertStatus(() -> keda.getMetrics(metrics("")), Status.Code.UNAVAILABLE, "31 s old");
        assertStatus(() -> keda.isActive(ref()), Status.Code.UNAVAILABLE, "31 s old");
        assertThat(keda.getMetricSpec(ref()).getMetricSpecsCount()).isEqualTo(1);
    }

    @Test
    void wrong_metadata_is_named_and_an_unknown_pool_has_a_spec_and_no_number() {
        ScaledObjectRef none = ScaledObjectRef.newBuilder().setName("so").build();
        assertStatus(() -> keda.getMetricSpec(none), Status.Code.INVALID_ARGUMENT, "scalerMetadata.pool: \"\"");
        assertStatus(() -> keda.streamIsActive(none).next(), Status.Code.INVALID_ARGUMENT, "scalerMetadata.pool");
        ScaledObjectRef unknown = ref(Map.of("pool", "nowhere"));
        assertThat(keda.getMetricSpec(unknown).getMetricSpecsCount()).isEqualTo(1);
        assertStatus(() -> keda.isActive(unknown), Status.Code.NOT_FOUND, "local/nowhere");
        assertStatus(
                () -> keda.isActive(ref(Map.of("pool", Served.SILENT.name()))),
                Status.Code.UNAVAILABLE,
                "no recommendation has been read yet");
        assertStatus(
                () -> keda.getMetrics(metrics("other")),
                Status.Code.INVALID_ARGUMENT,
                "metricName: \"other\", expected penstock-desired-replicas");
    }

    @Test
    void a_stream_tells_the_state_at_once_on_change_and_again() throws Exception {
        served.publish(0, false);
        Iterator<IsActiveResponse> states = keda.streamIsActive(ref());
        assertThat(states.next().getResult()).isFalse();

        tick();
        served.publish(1, true);
        tick();
        assertThat(states.next().getResult()).isTrue();

        served.clock.advance(Duration.ofSeconds(10));
        served.publish(1, true);
        tick();
        assertThat(states.next().getResult()).isTrue();

        served.on(() -> {
            scaler.endStreams();
            return null;
        });
        assertThat(states.hasNext()).isFalse();
        assertThat(openStreams()).isZero();
    }

    @Test
    void a_stream_of_specs_stays_open() throws Exception {
        var specs = keda.streamMetricSpec(ref());

        assertThat(specs.next()).isEqualTo(keda.getMetricSpec(ref()));
        assertThat(openStreams()).isEqualTo(1);
    }

    @Test
    void a_client_that_cancels_or_goes_away_leaves_nothing_behind() throws Exception {
        served.publish(1, true);
        Context.CancellableContext cancellable = Context.current().withCancellation();
        Iterator<IsActiveResponse> states = cancellable.call(() -> keda.streamIsActive(ref()));
        assertThat(states.next().getResult()).isTrue();
        Iterator<IsActiveResponse> others = keda.streamIsActive(ref());
        assertThat(others.next().getResult()).isTrue();
        assertThat(openStreams()).isEqualTo(2);

        cancellable.cancel(null);
        Await.until("one left", SOON, () -> openStreams() == 1);

        channel.shutdownNow();
        Await.until("none left", SOON, () -> openStreams() == 0);
    }

    @Test
    void streams_are_bounded() throws Exception {
        served.publish(1, true);
        for (int i = 0; i < OpenStreams.MOST; i++) keda.streamIsActive(ref()).next();

        assertStatus(() -> keda.streamIsActive(ref()).next(), Status.Code.RESOURCE_EXHAUSTED, "more than 512 streams");
        assertThat(keda.isActive(ref()).getResult()).isTrue();
    }

    private void tick() throws Exception {
        served.on(() -> {
            scaler.tick();
            return null;
        });
    }

    private int openStreams() {
        try {
            return served.on(scaler::openStreams);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void assertStatus(ThrowingCallable call, Status.Code code, String message) {
        assertThatThrownBy(call).isInstanceOfSatisfying(StatusRuntimeException.class, failure -> {
            assertThat(failure.getStatus().getCode()).isEqualTo(code);
            assertThat(failure.getStatus().getDescription()).contains(message);
        });
    }

    private static GetMetricsRequest metrics(String name) {
        return GetMetricsRequest.newBuilder()
                .setScaledObjectRef(ref())
                .setMetricName(name)
                .build();
    }

    private static ScaledObjectRef ref() {
        return ref(Map.of("pool", Served.POOL.name(), "scalerAddress", "here"));
    }

    private static ScaledObjectRef ref(Map<String, String> metadata) {
        return ScaledObjectRef.newBuilder()
                .setName("so")
                .setNamespace("models")
                .putAllScalerMetadata(metadata)
                .build();
    }
}
