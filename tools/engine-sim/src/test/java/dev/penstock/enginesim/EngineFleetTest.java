package dev.penstock.enginesim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.enginesim.fault.Fault;
import dev.penstock.enginesim.metrics.MetricDialect;
import dev.penstock.enginesim.step.Profile;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.Test;

class EngineFleetTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private static ServerSocket occupied() throws Exception {
        return new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = occupied()) {
            return socket.getLocalPort();
        }
    }

    private static JsonNode call(String method, String url, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> response = CLIENT.send(request, BodyHandlers.ofString());
        return JSON.readTree(response.body());
    }

    @Test
    void defaults_are_one_fast_engine_on_20000() {
        EngineFleetOptions options = EngineFleetOptions.defaults();

        assertThat(options)
                .isEqualTo(new EngineFleetOptions(
                        1,
                        "127.0.0.1",
                        20_000,
                        false,
                        List.of("sim/llama-3-8b"),
                        Profile.FAST,
                        1,
                        MetricDialect.NEW,
                        true,
                        0));
    }

    @Test
    void options_say_what_they_expected() {
        EngineFleetOptions options = EngineFleetOptions.defaults();

        assertThatThrownBy(() -> options.withCount(0)).hasMessage("engines: expected 1 or more, got 0");
        assertThatThrownBy(() -> options.withBasePort(65_535).withCount(2))
                .hasMessage("port: expected all ports up to 65535, got 65535");
        assertThatThrownBy(options::withModels).hasMessage("models: expected at least one name, got 0");
    }

    @Test
    void a_taken_port_is_replaced_by_a_free_one() throws Exception {
        Vertx vertx = Vertx.vertx();
        try (ServerSocket other = occupied()) {
            EngineFleetOptions options = EngineFleetOptions.defaults().withBasePort(other.getLocalPort());

            EngineFleet fleet = RunningFleet.await(EngineFleet.start(vertx, options));

            EngineSim engine = fleet.engine("engine-0");
            assertThat(engine.port()).isNotEqualTo(other.getLocalPort());
            assertThat(engine.endpoint()).isEqualTo("http://127.0.0.1:" + engine.port());
            assertThat(call("GET", engine.endpoint() + "/v1/models", "")
                            .path("object")
                            .asText())
                    .isEqualTo("list");
        } finally {
            RunningFleet.await(vertx.close());
        }
    }

    @Test
    void a_taken_port_is_an_error_when_ports_are_strict() throws Exception {
        Vertx vertx = Vertx.vertx();
        try (ServerSocket other = occupied()) {
            EngineFleetOptions options = EngineFleetOptions.defaults()
                    .withBasePort(other.getLocalPort())
                    .withStrictPorts(true);

            assertThatThrownBy(() -> EngineFleet.start(vertx, options).await())
                    .isInstanceOf(PortTakenException.class)
                    .hasMessage("port " + other.getLocalPort() + " on 127.0.0.1 is taken, choose another one");
        } finally {
            RunningFleet.await(vertx.close());
        }
    }

    @Test
    void two_fleets_in_one_vertx_never_share_a_port() {
        Vertx vertx = Vertx.vertx();
        try {
            EngineFleet first = RunningFleet.await(
                    EngineFleet.start(vertx, EngineFleetOptions.defaults().withBasePort(0)));
            int port = first.engines().getFirst().port();
            EngineFleet second = RunningFleet.await(
                    EngineFleet.start(vertx, EngineFleetOptions.defaults().withBasePort(port)));

            assertThat(second.engines().getFirst().port()).isNotEqualTo(port);
        } finally {
            RunningFleet.await(vertx.close());
        }
    }

    @Test
    void a_closed_fleet_leaves_no_port_open_even_one_that_refused() throws Exception {
        try (RunningFleet running =
                new RunningFleet(EngineFleetOptions.defaults().withCount(3))) {
            RawStream open = new RawStream(
                    running.engine, "/v1/chat/completions", RunningFleet.chat(30_000, ",\"stream\":true"));
            open.readThrough("finish_reason");
            running.fault(new Fault.Refuse());

            RunningFleet.await(running.fleet.close());

            for (EngineSim engine : running.fleet.engines()) {
                assertThatThrownBy(() -> new Socket("127.0.0.1", engine.port()).close())
                        .hasMessage("Connection refused");
            }
            assertThat(open.readToEnd()).doesNotContain("[DONE]");
        }
    }

    @Test
    void the_control_port_reaches_an_engine_that_refuses() throws Exception {
        int controlPort = freePort();
        try (RunningFleet running =
                new RunningFleet(EngineFleetOptions.defaults().withCount(2).withControlPort(controlPort))) {
            String engines = "http://127.0.0.1:" + controlPort + "/engines";

            JsonNode refusing = call("POST", engines + "/engine-1/fault", "{\"verb\":\"refuse\"}");
            assertThat(refusing.path("fault").path("verb").asText()).isEqualTo("refuse");
            assertThatThrownBy(() -> new Socket(
                                    "127.0.0.1",
                                    running.fleet.engine("engine-1").port())
                            .close())
                    .hasMessage("Connection refused");

            assertThat(call("GET", engines, "")).hasSize(2);
            JsonNode cleared = call("DELETE", engines + "/engine-1/fault", "");
            assertThat(cleared.path("fault").isNull()).isTrue();
            new Socket("127.0.0.1", running.fleet.engine("engine-1").port()).close();
            assertThat(call("GET", engines + "/engine-9/state", "")
                            .path("error")
                            .asText())
                    .contains("[engine-0, engine-1]");
        }
    }

    @Test
    void an_engine_is_controlled_on_its_own_port_too() throws Exception {
        try (RunningFleet running = RunningFleet.ofOne()) {
            String sim = running.engine.endpoint() + "/sim/";
            running.post("/v1/chat/completions", RunningFleet.chat(1, ""));

            JsonNode state = call("POST", sim + "fault", "{\"verb\":\"error\",\"args\":[\"503\"]}");

            assertThat(state.path("name").asText()).isEqualTo("engine-0");
            assertThat(state.path("port").asInt()).isEqualTo(running.engine.port());
            assertThat(state.path("profile").asText()).isEqualTo("fast");
            assertThat(state.path("fault").path("args").path(0).asText()).isEqualTo("503");
            assertThat(state.path("received").asInt()).isEqualTo(1);
            assertThat(state.path("completed").asInt()).isEqualTo(1);
            assertThat(state.path("highWater").asInt()).isEqualTo(1);
            assertThat(call("POST", sim + "reset-high-water", "")
                            .path("highWater")
                            .asInt())
                    .isZero();
            assertThat(call("DELETE", sim + "fault", "").path("fault").isNull()).isTrue();
            assertThat(call("POST", sim + "fault", "{\"verb\":\"explode\"}")
                            .path("error")
                            .asText())
                    .contains("unknown fault 'explode'");
            assertThat(call("POST", sim + "fault", "nonsense").path("error").asText())
                    .contains("expected JSON");
        }
    }

    @Test
    void refusing_through_the_engines_own_port_is_answered_first() throws Exception {
        try (RunningFleet running = RunningFleet.ofOne()) {
            HttpResponse<String> response = running.post("/sim/fault", "{\"verb\":\"refuse\"}");

            assertThat(response.statusCode()).isEqualTo(200);
            assertThatThrownBy(() -> new Socket("127.0.0.1", running.engine.port()).close())
                    .hasMessage("Connection refused");
        }
    }
}
