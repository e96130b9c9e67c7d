package dev.penstock.admission;

import static dev.penstock.testkit.record.ReplicaBuilder.MODEL;
import static dev.penstock.testkit.record.ReplicaBuilder.replica;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.admission.ledger.NetworkHolder;
import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.config.ConfigTree;
import dev.penstock.kit.config.KafkaConfig;
import dev.penstock.kit.management.PortTakenException;
import dev.penstock.kit.registry.Registry;
import dev.penstock.kit.run.ServiceContext;
import dev.penstock.model.Header;
import dev.penstock.model.PoolId;
import dev.penstock.model.Roles;
import dev.penstock.model.RosterRecord;
import dev.penstock.model.Sample;
import dev.penstock.model.TelemetryFrame;
import dev.penstock.model.Topics;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.ChildJvm;
import dev.penstock.testkit.infra.FreshInfra;
import dev.penstock.wire.RosterCodec;
import dev.penstock.wire.TelemetryCodec;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two owners, one of them a process of its own, and holders over the network. */
class LedgerIT {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final PoolId POOL = PoolId.localFor(MODEL);
    private static final int LIMIT = 6;

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient http = HttpClient.newHttpClient();
    private final AtomicLong frames = new AtomicLong();
    private FreshInfra infra;
    private KafkaBus bus;
    private Path file;

    @TempDir
    Path directory;

    @BeforeEach
    void start() throws Exception {
        infra = FreshInfra.start();
        file = directory.resolve("penstock.yaml");
        Files.writeString(
                file,
                "kafka: {bootstrapServers: \"" + infra.bootstrapServers() + "\", replicationFactor: 1}\n"
                        + "redis: {url: \"" + infra.redisUrl() + "\"}\n"
                        + "admission: {managementPort: 0, restPort: 0, ledgerPort: 0}\n"
                        + "models: [{name: \"" + MODEL + "\", maxInflightPerReplica: " + LIMIT + "}]\n");
        bus = KafkaBus.create(
                vertx,
                new KafkaConfig(infra.bootstrapServers(), (short) 1),
                Incarnation.fresh("collector-0"),
                new SimpleMeterRegistry());
    }

    @AfterEach
    void stop() throws Exception {
        join(bus.close());
        join(vertx.close());
        infra.close();
    }

    @Test
    void slots_are_granted_on_when_their_owner_is_killed_and_those_of_the_dead_come_home() throws Exception {
        roster(replica(1).present());
        roster(replica(2).present());
        try (ChildJvm killed = ChildJvm.of(AdmissionMain.class)
                .args("--config", file.toString())
                .environment("PENSTOCK_NAME", "admission-0")
                .start()) {
            killed.awaitLine("REST on port", SOON);
            NetworkHolder a = holder("router-0");
            NetworkHolder b = holder("router-1");
            Await.until("all slots are held", SOON, () -> held(1, a, b) == LIMIT && held(2, a, b) == LIMIT);
            long epoch = a.followed();

            RunningAdmission admission = start("admission-1");
            killed.kill9();
            Await.until("both follow the next owner", SOON, () -> a.followed() > epoch && b.followed() > epoch);
            Await.until(
                    "it grants", SOON, () -> pool(admission).path("factsRead").asBoolean());
            NetworkHolder c = holder("router-2");
            Await.until("the third has its part", SOON, () -> c.held(1) + c.held(2) >= 2);
            assertThat(held(1, a, b, c)).isLessThanOrEqualTo(LIMIT);
            Await.until("none is lost", SOON, () -> held(1, a, b, c) == LIMIT && held(2, a, b, c) == LIMIT);
            shows(admission, c);

            b.kill();
            NetworkHolder next = holder("router-1");
            Await.until(
                    "the dead one's slots are frozen",
                    SOON,
                    () -> metric(admission, "penstock_admission_slots{pool=\"" + POOL + "\",state=\"frozen\"}") > 0);
            assertThat(held(1, a, c, next)).isLessThan(LIMIT);
            long timer = vertx.setPeriodic(100, tick -> scrape());
            Await.until(
                    "they are home, and held again",
                    SOON,
                    () -> held(1, a, c, next) == LIMIT && held(2, a, c, next) == LIMIT);
            vertx.cancelTimer(timer);
            assertThat(next.refusals()).isEmpty();
            Await.until(
                    "nothing is frozen",
                    SOON,
                    () -> metric(admission, "penstock_admission_slots{pool=\"" + POOL + "\",state=\"frozen\"}") == 0);
            join(admission.shutdown(Duration.ofSeconds(1)));
        }
    }

    @Test
    void a_taken_ledger_port_ends_the_start_before_anything_is_claimed() throws Exception {
        roster(replica(1).present());
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            Files.writeString(
                    file, Files.readString(file).replace("ledgerPort: 0", "ledgerPort: " + taken.getLocalPort()));
            assertThatThrownBy(() -> start("admission-0")).hasRootCauseInstanceOf(PortTakenException.class);
        }
        Registry registry = Registry.start(bus);
        join(registry.readToEnd());
        assertThat(registry.highestClaim(Roles.POLICY)).isNull();
        join(registry.close());
    }

    private void shows(RunningAdmission admission, NetworkHolder holder) {
        Await.until(
                "the page is up to date",
                SOON,
                () -> pool(admission).path("holders").size() == 3);
        JsonNode page = pool(admission);
        assertThat(page.path("replicas")).hasSize(2);
        JsonNode replica = page.path("replicas").get(0);
        assertThat(replica.path("replica").asInt()).isEqualTo(1);
        assertThat(replica.path("limit").asInt()).isEqualTo(LIMIT);
        assertThat(replica.path("blocked")).isEmpty();
        assertThat(page.path("holders").get(2).path("holder").asText()).isEqualTo(holder.id());
        assertThat(page.path("holders").get(2).path("state").asText()).isEqualTo("connected");
        assertThat(metric(admission, "penstock_admission_holders{pool=\"" + POOL + "\"}"))
                .isEqualTo(3);
        assertThat(metric(admission, "penstock_admission_unproven_dead{pool=\"" + POOL + "\"}"))
                .isZero();
        assertThat(metric(admission, "penstock_admission_slot_moves_total{pool=\"" + POOL + "\"}"))
                .isPositive();
    }

    private NetworkHolder holder(String name) throws Exception {
        return NetworkHolder.start(vertx, infra.bootstrapServers(), directory, name, POOL);
    }

    private static int held(int number, NetworkHolder... holders) {
        int held = 0;
        for (NetworkHolder each : holders) held += each.held(number);
        return held;
    }

    private void roster(RosterRecord record) throws Exception {
        join(bus.publish(Topics.ROSTER, 0, record.replica().name(), RosterCodec.encode(record)));
    }

    /** Both engines are idle. */
    private void scrape() {
        for (int number = 1; number <= 2; number++) {
            Sample idle = new Sample(number, 0, 0, 0, frames.get(), 0, 0, 50, 0);
            Header header =
                    new Header("collector-0", 1, frames.getAndIncrement() / 2, Header.NO_EPOCH, System.nanoTime());
            TelemetryFrame frame = new TelemetryFrame(header, number, true, new BitSet(), 0, List.of(idle));
            bus.send(Topics.TELEMETRY, number, String.valueOf(number), TelemetryCodec.encode(frame));
        }
    }

    private RunningAdmission start(String name) throws Exception {
        ServiceContext context = new ServiceContext(
                vertx,
                ConfigTree.load(file, Map.of()),
                new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
                Incarnation.fresh(name));
        return (RunningAdmission) join(AdmissionWiring.start(context));
    }

    private JsonNode pool(RunningAdmission admission) {
        try {
            return new ObjectMapper()
                    .readTree(get(admission, "/debug/ledger"))
                    .path("pools")
                    .path(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private double metric(RunningAdmission admission, String name) {
        return get(admission, "/metrics")
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElse(-1);
    }

    private String get(RunningAdmission admission, String path) {
        URI uri = URI.create("http://127.0.0.1:" + admission.management().port() + path);
        try {
            return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static <T> T join(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(15, TimeUnit.SECONDS);
    }
}
