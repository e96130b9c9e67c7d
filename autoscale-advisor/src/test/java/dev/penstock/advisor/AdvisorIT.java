package dev.penstock.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.advisor.keda.proto.ExternalScalerGrpc;
import dev.penstock.advisor.keda.proto.GetMetricsRequest;
import dev.penstock.advisor.keda.proto.MetricValue;
import dev.penstock.advisor.keda.proto.ScaledObjectRef;
import dev.penstock.core.scale.AdviceTimes;
import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.config.ConfigTree;
import dev.penstock.kit.config.KafkaConfig;
import dev.penstock.kit.run.ServiceContext;
import dev.penstock.model.DemandRecord;
import dev.penstock.model.DemandRecord.ModelDemand;
import dev.penstock.model.Header;
import dev.penstock.model.PoolId;
import dev.penstock.model.Topics;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.infra.FreshInfra;
import dev.penstock.testkit.infra.TcpFaultProxy;
import dev.penstock.testkit.record.ReplicaBuilder;
import dev.penstock.wire.DemandCodec;
import dev.penstock.wire.RosterCodec;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** Two advisors on a real Kafka and Redis, with demand that the test tells as two routers. Spans are shorter than real ones. */
class AdvisorIT {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final PoolId POOL = PoolId.localFor(ReplicaBuilder.MODEL);
    private static final String PATH = "/v1/pools/" + POOL + "/recommendation";
    private static final int PRESENT = 2;
    private static final int WANTED = 110;
    private static final AdviceTimes TIMES = new AdviceTimes(
            Duration.ofMillis(2_500),
            Duration.ofSeconds(1),
            Duration.ofSeconds(3),
            Duration.ofSeconds(10),
            Duration.ofSeconds(60),
            Duration.ofSeconds(7));

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient http = HttpClient.newHttpClient();
    private volatile int running;
    private volatile boolean routersTalk = true;
    private long sequence;

    private record Advisor(RunningAdvisor service, TcpFaultProxy redis, ManagedChannel channel) {
        ExternalScalerGrpc.ExternalScalerBlockingStub keda() {
            return ExternalScalerGrpc.newBlockingStub(channel).withDeadlineAfter(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void demand_becomes_replicas_and_survives_an_owner_and_silence_holds() throws Exception {
        try (FreshInfra infra = FreshInfra.start()) {
            KafkaBus bus = bus(infra);
            for (int i = 0; i < PRESENT; i++) {
                join(bus.publish(
                        Topics.ROSTER,
                        0,
                        "engine-" + i,
                        RosterCodec.encode(ReplicaBuilder.replica(i).present())));
            }
            running = 3;
            vertx.setPeriodic(200, tick -> tellDemand(bus));
            Advisor a = start(infra, "advisor-a");
            Advisor b = start(infra, "advisor-b");
            for (Advisor each : List.of(a, b)) {
                Await.until("ready", SOON, () -> get(each.service.management().port(), "/readyz")
                        .path("ready")
                        .asBoolean());
                // 2 * 3 requests at once, 4 at a replica: ceil(6 / 4) are needed, and two are there
                awaitNumber(each, 2);
            }

            // 2 * 200: ceil(400 / 4) and ceil(2 * sqrt(400) / 4) on top
            running = 200;
            for (Advisor each : List.of(a, b)) {
                JsonNode body = awaitNumber(each, WANTED);
                assertThat(body.path("replicas").asInt()).isEqualTo(PRESENT);
                assertThat(body.path("stale").asBoolean()).isFalse();
                assertThat(body.path("components").path("effectiveConcurrency").asInt())
                        .isEqualTo(4);
                askAsKeda(each, WANTED);
            }

            Advisor owner = owns(a) ? a : b;
            Advisor other = owns(a) ? b : a;
            long epoch = rest(other).body().path("epoch").asLong();
            owner.redis.freeze();
            for (Advisor each : List.of(a, b)) {
                Await.until(
                        "a higher epoch",
                        SOON,
                        () -> rest(each).body().path("epoch").asLong() > epoch);
                assertThat(awaitNumber(each, WANTED).path("hold").asBoolean()).isFalse();
            }
            Await.until("one owner", SOON, () -> owns(other) && !owns(owner));
            assertThat(rest(a).body().path("epoch")).isEqualTo(rest(b).body().path("epoch"));
            owner.redis.pass();

            // silence: the present count, and then nothing
            routersTalk = false;
            for (Advisor each : List.of(a, b)) {
                Await.until("the hold", SOON, () -> {
                    JsonNode body = rest(each).body();
                    return body.path("hold").asBoolean()
                            && body.path("stale").asBoolean()
                            && body.path("desiredReplicas").asInt() == PRESENT
                            && body.path("reason").asText().startsWith("no router told its demand");
                });
                assertThat(metric(each).getMetricValue()).isEqualTo(PRESENT);
            }
            for (Advisor each : List.of(a, b)) {
                Await.until("503", SOON, () -> rest(each).status() == 503);
                assertThat(rest(each).body().path("hold").asBoolean()).isTrue();
                Assertions.assertThatThrownBy(() -> metric(each))
                        .isInstanceOfSatisfying(StatusRuntimeException.class, failure -> assertThat(
                                        failure.getStatus().getCode())
                                .isEqualTo(Status.Code.UNAVAILABLE));
                assertThat(each.keda().getMetricSpec(ref()).getMetricSpecsCount())
                        .isEqualTo(1);
            }

            routersTalk = true;
            for (Advisor each : List.of(a, b)) awaitNumber(each, WANTED);

            // an owner that stops in order is followed without waiting to be missed
            join(other.service.shutdown(Duration.ofSeconds(1)));
            Await.until("the first again", SOON, () -> owns(owner));
            awaitNumber(owner, WANTED);
            assertThat(metrics(owner))
                    .contains("penstock_advisor_desired_replicas{pool=\"" + POOL + "\"} 110.0")
                    .contains("penstock_advisor_owner 1.0")
                    .contains("penstock_advisor_keda_answers_total{method=\"GetMetrics\",status=\"UNAVAILABLE\"}");
            JsonNode page = get(owner.service.management().port(), "/debug/pools");
            assertThat(page.path("pools")
                            .get(0)
                            .path("published")
                            .path("desired")
                            .asInt())
                    .isEqualTo(WANTED);
            assertThat(page.path("pools").get(0).path("plan").path("components").has("demandMean6s"))
                    .isTrue();

            int restPort = owner.service.restPort();
            int grpcPort = owner.service.grpcPort();
            join(owner.service.shutdown(Duration.ofSeconds(1)));
            for (int port : new int[] {restPort, grpcPort}) {
                Assertions.assertThatThrownBy(() -> new Socket("127.0.0.1", port).close())
                        .isInstanceOf(ConnectException.class);
            }
            for (Advisor each : List.of(a, b)) {
                each.channel.shutdownNow();
                each.redis.close();
            }
            join(bus.close());
        } finally {
            join(vertx.close());
        }
    }

    private Advisor start(FreshInfra infra, String name) throws Exception {
        TcpFaultProxy redis = TcpFaultProxy.start(0, "127.0.0.1", infra.redis().port());
        String config = """
            kafka: {bootstrapServers: "%s", replicationFactor: 1}
            redis: {url: "redis://%s"}
            advisor: {managementPort: 0, restPort: 0, grpcPort: 0}
            models:
              - name: %s
                scaling: {targetConcurrency: 4, max: 500}
            """.formatted(infra.bootstrapServers(), redis.address(), ReplicaBuilder.MODEL);
        ServiceContext context = new ServiceContext(
                vertx,
                ConfigTree.of(config),
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
                Incarnation.fresh(name));
        RunningAdvisor service = (RunningAdvisor) join(AdvisorWiring.start(context, TIMES));
        ManagedChannel channel = ManagedChannelBuilder.forAddress("127.0.0.1", service.grpcPort())
                .usePlaintext()
                .build();
        return new Advisor(service, redis, channel);
    }

    private KafkaBus bus(FreshInfra infra) {
        ConfigTree tree =
                ConfigTree.of("kafka: {bootstrapServers: \"" + infra.bootstrapServers() + "\", replicationFactor: 1}");
        return KafkaBus.create(vertx, KafkaConfig.read(tree), Incarnation.fresh("test"), new SimpleMeterRegistry());
    }

    private void tellDemand(KafkaBus bus) {
        if (!routersTalk) return;
        sequence++;
        for (String router : List.of("router-0", "router-1")) {
            DemandRecord record = new DemandRecord(
                    new Header(router, 1, sequence, Header.NO_EPOCH, System.nanoTime()),
                    List.of(new ModelDemand(ReplicaBuilder.MODEL, POOL, running, running, 0, 0, 0, 0, 0, 0, 0)));
            bus.send(Topics.DEMAND, 0, router, DemandCodec.encode(record));
        }
    }

    /** In the order of a poll. */
    private static void askAsKeda(Advisor advisor, int desired) {
        String name = advisor.keda().getMetricSpec(ref()).getMetricSpecs(0).getMetricName();
        MetricValue value = metric(advisor);
        assertThat(value.getMetricName()).isEqualTo(name);
        assertThat(value.getMetricValue()).isEqualTo(desired);
        assertThat(value.getMetricValueFloat()).isEqualTo(desired);
        assertThat(advisor.keda().isActive(ref()).getResult()).isTrue();
        assertThat(advisor.keda().streamIsActive(ref()).next().getResult()).isTrue();
    }

    private static MetricValue metric(Advisor advisor) {
        return advisor.keda()
                .getMetrics(GetMetricsRequest.newBuilder()
                        .setScaledObjectRef(ref())
                        .setMetricName("penstock-desired-replicas")
                        .build())
                .getMetricValues(0);
    }

    private static ScaledObjectRef ref() {
        return ScaledObjectRef.newBuilder()
                .setName("llama")
                .setNamespace("models")
                .putScalerMetadata("pool", POOL.name())
                .build();
    }

    private JsonNode awaitNumber(Advisor advisor, int desired) {
        return Await.value(
                        desired + " replicas",
                        SOON,
                        () -> rest(advisor),
                        answer -> answer.status() == 200
                                && !answer.body().path("hold").asBoolean()
                                && answer.body().path("desiredReplicas").asInt() == desired)
                .body();
    }

    private boolean owns(Advisor advisor) {
        return get(advisor.service.management().port(), "/debug/pools")
                .path("owner")
                .asBoolean();
    }

    private record Answer(int status, JsonNode body) {}

    private Answer rest(Advisor advisor) {
        HttpResponse<String> response = send(advisor.service.restPort(), PATH);
        return new Answer(response.statusCode(), json(response.body()));
    }

    private String metrics(Advisor advisor) {
        return send(advisor.service.management().port(), "/metrics").body();
    }

    private JsonNode get(int port, String path) {
        return json(send(port, path).body());
    }

    private HttpResponse<String> send(int port, String path) {
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        try {
            return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static <T> T join(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(15, TimeUnit.SECONDS);
    }
}
