package dev.penstock.router.cases;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.RawHttp.Response;
import dev.penstock.testkit.Sha256;
import dev.penstock.testkit.raw.Plan;
import dev.penstock.testkit.raw.RawClient;
import dev.penstock.testkit.raw.Received;
import dev.penstock.testkit.raw.Script;
import dev.penstock.testkit.raw.SeenRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What goes on at an engine is asked for where it is, whoever asks which router, and nobody is told what is not theirs. */
@ExtendWith(CaseExtension.class)
class JobsTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String VIDEO = "video_gen_0123456789abcdef";
    private static final String STORED = "resp_0123456789abcdef";
    private static final String CREATED =
            "{ \"id\":\"%s\",\"object\":\"video\",\"status\":\"queued\",\"progress\":0,\"note\":\"é %s\"}\n";

    private final RouterScene scene;

    JobsTest(RouterScene scene) {
        this.scene = scene;
    }

    @Test
    void a_video_is_asked_for_at_the_engine_that_makes_it() throws Exception {
        try (Fleet fleet = scene.fleet(3)) {
            fleet.plan(Plan.json(200, CREATED.formatted(VIDEO, VIDEO)));
            Response created = answer(Requests.post("/v1/videos", body(fleet)));
            String id = idOf(created);
            int owner = ownerOf(fleet);
            assertThat(created.bodyText()).as("nothing else changed").isEqualTo(CREATED.formatted(id, VIDEO));
            assertThat(created.header("content-length"))
                    .isEqualTo(String.valueOf(created.bodyText().getBytes(UTF_8).length));
            assertThat(id).startsWith("video_").doesNotContain(VIDEO);

            fleet.plan(Plan.json(200, "{\"id\":\"" + VIDEO + "\",\"status\":\"completed\"}"));
            for (int i = 0; i < 10; i++) {
                Response asked = answer(get("/v1/videos/" + id + "?x=%20y&z"));
                assertThat(asked.bodyText()).isEqualTo("{\"id\":\"" + id + "\",\"status\":\"completed\"}");
                assertThat(asked.header("x-penstock-replica")).isEqualTo(fleet.nameOf(owner));
                assertThat(asked.header("x-request-id")).startsWith(scene.name());
            }
            assertThat(fleet.u(owner).log().count()).isEqualTo(11);
            assertThat(fleet.count()).isEqualTo(11);
            assertThat(fleet.u(owner).log().last().line()).isEqualTo("GET /v1/videos/" + VIDEO + "?x=%20y&z HTTP/1.1");

            fleet.plan(Plan.json(200, "{\"id\":\"" + VIDEO + "\",\"deleted\":true}"));
            assertThat(answer(delete("/v1/videos/" + id)).bodyText()).contains("\"" + id + "\"");
            assertThat(fleet.u(owner).log().last().line()).startsWith("DELETE /v1/videos/" + VIDEO);
        }
    }

    @Test
    void a_create_answer_in_pieces_has_our_id_wherever_it_is_cut() throws Exception {
        try (Fleet fleet = scene.fleet(1)) {
            byte[] engines = CREATED.formatted(VIDEO, VIDEO).getBytes(UTF_8);
            for (int cut = 1; cut < engines.length; cut += 3) {
                int at = cut;
                byte[] head = ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + engines.length
                                + "\r\n\r\n")
                        .getBytes(UTF_8);
                fleet.plan(Plan.start()
                        .send(head)
                        .send(Arrays.copyOf(engines, at))
                        .waits(1)
                        .send(Arrays.copyOfRange(engines, at, engines.length)));

                Response created = answer(Requests.post("/v1/videos", body(fleet)));

                assertThat(created.complete()).isTrue();
                assertThat(created.bodyText()).as("cut at %s", at).isEqualTo(CREATED.formatted(idOf(created), VIDEO));
            }
        }
    }

    @Test
    void a_long_video_passes_byte_for_byte() throws Exception {
        try (Fleet fleet = scene.fleet(2)) {
            String id = made(fleet);
            byte[] video = new byte[8 << 20];
            new Random(1).nextBytes(video);
            fleet.plan(Plan.start()
                    .send("HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nContent-Length: " + video.length + "\r\n\r\n")
                    .send(video));

            Received received = RawClient.exchange(scene.port(), get("/v1/videos/" + id + "/content"), SOON);

            assertThat(received.sha256()).isEqualTo(Sha256.hex(video));
            assertThat(received.answer().header("content-type")).isEqualTo("video/mp4");
            assertThat(fleet.u(ownerOf(fleet)).log().last().target()).isEqualTo("/v1/videos/" + VIDEO + "/content");
        }
    }

    @Test
    void a_content_that_never_begins_is_an_error_under_its_own_head() throws Exception {
        try (Fleet fleet = scene.fleet(1)) {
            String id = made(fleet);
            fleet.plan(Plan.start()
                    .send("HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\nContent-Length: 50000000\r\n\r\n")
                    .waits(50)
                    .reset());

            OwnError error = OwnError.of(answer(get("/v1/videos/" + id + "/content")));

            assertThat(error.status()).isEqualTo(502);
        }
    }

    @Test
    void an_engines_error_is_in_the_envelope_and_has_our_id() throws Exception {
        try (Fleet fleet = scene.fleet(1)) {
            String id = made(fleet);
            fleet.plan(Plan.json(404, "{\"detail\":\"Video " + VIDEO + " not found\"}"));

            OwnError error = OwnError.of(answer(get("/v1/videos/" + id)));

            assertThat(error.status()).isEqualTo(404);
            assertThat(error.message()).isEqualTo("Video " + id + " not found");
        }
    }

    @Test
    void ids_that_were_not_given_out_are_of_nothing() throws Exception {
        try (Fleet fleet = scene.fleet(1)) {
            String id = made(fleet);
            int before = fleet.count();
            char last = id.charAt(id.length() - 2);
            for (String path : new String[] {
                "/v1/videos/" + VIDEO,
                "/v1/videos/x",
                "/v1/videos/%2e%2e",
                "/v1/videos/" + id.substring(0, id.length() - 2) + (last == 'A' ? 'B' : 'A')
                        + id.charAt(id.length() - 1),
                "/v1/videos/" + id.substring(0, 20),
                "/v1/videos/" + id + "A",
                "/v1/videos/" + id + "/content/",
                "/v1/videos/" + id + "/cancel",
                "/v1/videos/" + "A".repeat(6_000),
                "/v1/responses/" + id,
                "/v1/responses/resp_" + id.substring(6),
                "/v1/videos/"
            }) {
                assertThat(OwnError.of(answer(get(path))).status()).as(path).isEqualTo(404);
            }
            assertThat(fleet.count()).isEqualTo(before);
        }
    }

    @Test
    void other_methods_are_told_which_there_are() throws Exception {
        try (Fleet fleet = scene.fleet(1)) {
            String id = made(fleet);
            int before = fleet.count();
            allows("PUT /v1/videos", "GET, POST");
            allows("POST /v1/videos/" + id, "GET, DELETE");
            allows("DELETE /v1/videos/" + id + "/content", "GET");
            allows("GET /v1/responses/resp_x/cancel", "POST");
            allows("POST /v1/responses/resp_x/input_items", "GET");
            allows("PATCH /v1/responses/resp_x", "GET, DELETE");
            allows("GET /v1/responses", "POST");
            assertThat(fleet.count()).isEqualTo(before);
        }
    }

    @Test
    void what_a_lost_replica_had_is_gone() throws Exception {
        try (Fleet fleet = scene.fleet(2)) {
            String id = made(fleet);
            int owner = ownerOf(fleet);
            int before = fleet.count();

            fleet.remove(owner);

            OwnError error = OwnError.of(answer(get("/v1/videos/" + id)));
            assertThat(error.status()).isEqualTo(410);
            assertThat(error.code()).isEqualTo("gone");
            assertThat(fleet.count()).isEqualTo(before);
        }
    }

    @Test
    void what_a_replica_had_before_it_was_started_anew_is_gone() throws Exception {
        try (Fleet fleet = scene.fleet(1)) {
            String id = made(fleet);
            fleet.plan(Plan.json(200, "{\"id\":\"other\"}"));

            fleet.startAnew(1);

            Await.until("gone", SOON, () -> answer(get("/v1/videos/" + id)).status() == 410);
        }
    }

    @Test
    void a_replica_that_can_not_be_reached_may_come_back() throws Exception {
        try (Fleet fleet = scene.fleet(2)) {
            String id = made(fleet);
            int owner = ownerOf(fleet);
            fleet.u(owner).die();

            assertThat(OwnError.of(answer(get("/v1/videos/" + id))).code()).isEqualTo("replicas_unreachable");

            fleet.u(owner).listen();
            fleet.plan(Plan.json(200, "{\"id\":\"" + VIDEO + "\"}"));
            Await.until(
                    "it answers", SOON, () -> answer(get("/v1/videos/" + id)).status() == 200);
        }
    }

    @Test
    void who_asks_is_not_in_flight_and_a_client_that_leaves_is_seen_by_the_engine() throws Exception {
        try (Fleet fleet = scene.fleet(1)) {
            String id = made(fleet);
            fleet.awaitIdle();
            Outcomes before = scene.outcomes();
            fleet.u(1).restart(Plan.start().hold());
            try (RawClient client = RawClient.connect(scene.port())) {
                client.send(get("/v1/videos/" + id));
                Await.until("asked", SOON, () -> fleet.count() == 1);
                assertThat(fleet.inflight()).isZero();
            }
            Await.until("closed", SOON, () -> fleet.u(1).log().peerClosed() == 1);
            assertThat(scene.outcomes().since(before).counts()).isEmpty();
            assertThat(fleet.quarantined()).isFalse();
        }
    }

    @Test
    void a_stored_answer_is_gone_on_from_at_its_replica_only() throws Exception {
        try (Fleet fleet = scene.fleet(3)) {
            fleet.plan(Plan.json(200, stored(STORED, "null")));
            String id = idOf(answer(Requests.post("/v1/responses", body(fleet))));
            int owner = ownerOf(fleet);
            fleet.plan(Plan.json(200, stored("resp_second_00", "\"" + STORED + "\"")));
            String next =
                    "{\"model\":\"" + fleet.model() + "\", \"previous_response_id\" : \"" + id + "\",\"input\":\"é\"}";

            for (int i = 0; i < 10; i++) {
                Response answer = answer(Requests.post("/v1/responses", next.getBytes(UTF_8)));

                JsonNode json = json(answer);
                assertThat(json.path("previous_response_id").asText())
                        .as("as the client knows it")
                        .isEqualTo(id);
                assertThat(json.path("id").asText()).startsWith("resp_").isNotEqualTo("resp_second_00");
                assertThat(answer.header("x-penstock-decision")).startsWith("bound");
                assertThat(fleet.u(owner).log().last().bodyText()).isEqualTo(next.replace(id, STORED));
            }
            assertThat(fleet.u(owner).log().count()).isEqualTo(11);

            fleet.u(owner).die();
            assertThat(OwnError.of(answer(Requests.post("/v1/responses", next.getBytes(UTF_8))))
                            .status())
                    .isEqualTo(503);
            assertThat(fleet.count()).isEqualTo(11);
            fleet.remove(owner);
            OwnError gone = OwnError.of(answer(Requests.post("/v1/responses", next.getBytes(UTF_8))));
            assertThat(gone.status()).isEqualTo(410);
            assertThat(fleet.count()).isEqualTo(11);
        }
    }

    @Test
    void a_stored_answer_is_of_the_models_that_its_replica_serves() throws Exception {
        try (Fleet fleet = scene.fleet(1);
                Fleet others = scene.fleet("org/other", 1)) {
            fleet.plan(Plan.json(200, stored(STORED, "null")));
            String id = idOf(answer(Requests.post("/v1/responses", body(fleet))));
            String next = "{\"model\":\"org/other\",\"previous_response_id\":\"" + id + "\",\"input\":\"x\"}";

            OwnError error = OwnError.of(answer(Requests.post("/v1/responses", next.getBytes(UTF_8))));

            assertThat(error.status()).isEqualTo(400);
            assertThat(error.param()).isEqualTo("previous_response_id");
            assertThat(others.count()).isZero();
        }
    }

    @Test
    void an_engines_own_id_leads_nowhere() throws Exception {
        try (Fleet fleet = scene.fleet(2)) {
            String body =
                    "{\"model\":\"" + fleet.model() + "\",\"previous_response_id\":\"resp_foreign\",\"input\":\"x\"}";

            Response answer = answer(Requests.post("/v1/responses", body.getBytes(UTF_8)));

            assertThat(answer.status()).isEqualTo(404);
            assertThat(fleet.count()).isZero();
        }
    }

    @Test
    void a_streamed_answer_has_our_id_in_every_event() throws Exception {
        try (Fleet fleet = scene.fleet(2)) {
            String stream = event(
                            "response.created",
                            "{\"type\":\"response.created\",\"response\":{\"id\":\"" + STORED
                                    + "\",\"status\":\"in_progress\"}}")
                    + event(
                            "response.output_text.delta",
                            "{\"type\":\"response.output_text.delta\",\"delta\":\"水 " + STORED + "\"}")
                    + event(
                            "response.completed",
                            "{\"type\":\"response.completed\",\"response\":{\"id\":\"" + STORED
                                    + "\",\"output\":[{\"id\":\"msg_1\"}]}}");
            for (int size : new int[] {1, 7, 64, 100_000}) {
                Plan plan = Plan.stream();
                byte[] bytes = stream.getBytes(UTF_8);
                for (int at = 0; at < bytes.length; at += size) {
                    plan = plan.chunk(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + size)));
                }
                fleet.plan(plan.end());
                String request = "{\"model\":\"" + fleet.model() + "\",\"stream\":true,\"input\":\"x\"}";

                Response answer = answer(Requests.post("/v1/responses", request.getBytes(UTF_8)));

                String id = answer.bodyText().split("\"id\":\"", -1)[1].split("\"", -1)[0];
                assertThat(answer.bodyText())
                        .as("in pieces of %s", size)
                        .isEqualTo(stream.replace("\"" + STORED + "\"", "\"" + id + "\""));
                assertThat(id).isNotEqualTo(STORED);
                assertThat(answer.complete()).isTrue();
                fleet.plan(Plan.json(200, stored(STORED, "null")));
                assertThat(idOf(answer(get("/v1/responses/" + id)))).isEqualTo(id);
                assertThat(answer(Requests.head("POST /v1/responses/" + id + "/cancel", "Content-Length: 0"))
                                .status())
                        .isEqualTo(200);
                SeenRequest last = fleet.requests().getLast();
                assertThat(last.line()).isEqualTo("POST /v1/responses/" + STORED + "/cancel HTTP/1.1");
                assertThat(last.values("content-length")).containsExactly("0");
            }
        }
    }

    @Test
    void a_background_answer_can_be_streamed_later() throws Exception {
        try (Fleet fleet = scene.fleet(1)) {
            fleet.plan(Plan.json(200, stored(STORED, "null")));
            String id = idOf(answer(Requests.post("/v1/responses", body(fleet))));
            String data = "{\"type\":\"response.completed\",\"response\":{\"id\":\"%s\"}}";
            fleet.plan(Plan.stream().event(data.formatted(STORED)).end());

            Response answer = answer(get("/v1/responses/" + id + "?stream=true&starting_after=3"));

            assertThat(answer.bodyText()).isEqualTo("data: " + data.formatted(id) + "\n\n");
            assertThat(answer.header("x-accel-buffering")).isEqualTo("no");
        }
    }

    @Test
    void another_router_leads_to_the_same_replica() throws Exception {
        try (Fleet fleet = scene.fleet(2);
                RouterScene other = RouterScene.start(scene.infra(), "jobs-other", RouterScene.USUAL)) {
            String id = made(fleet);
            fleet.plan(Plan.json(200, "{\"id\":\"" + VIDEO + "\"}"));

            Response answer = RawClient.exchange(other.port(), get("/v1/videos/" + id), SOON)
                    .answer();

            assertThat(answer.bodyText()).isEqualTo("{\"id\":\"" + id + "\"}");
        }
    }

    @Test
    void tenants_know_only_of_their_own() throws Exception {
        Path keys = Files.createTempFile("penstock-keys-", ".yaml");
        Files.writeString(
                keys,
                "keys:\n  - {tenant: a, sha256: '" + Sha256.hex("key-a-0123456789".getBytes(UTF_8))
                        + "'}\n  - {tenant: b, sha256: '" + Sha256.hex("key-b-0123456789".getBytes(UTF_8)) + "'}\n");
        Path jobKey = Files.write(Files.createTempFile("penstock-job-", ".key"), new byte[32]);
        String yaml = RouterScene.USUAL + "security: {apiKeysFile: '" + keys + "', jobKeyFile: '" + jobKey + "'}\n";
        try (RouterScene closed = RouterScene.start(scene.infra(), "jobs-keys", yaml);
                Fleet fleet = closed.fleet(1)) {
            fleet.plan(Plan.json(200, "{\"id\":\"" + VIDEO + "\"}"));
            String id = idOf(answer(closed, Requests.post("/v1/videos", body(fleet), "x-api-key: key-a-0123456789")));

            assertThat(answer(closed, get("/v1/videos/" + id, "x-api-key: key-a-0123456789"))
                            .status())
                    .isEqualTo(200);
            assertThat(answer(closed, get("/v1/videos/" + id, "x-api-key: key-b-0123456789"))
                            .status())
                    .isEqualTo(404);
            assertThat(answer(closed, get("/v1/videos/" + id)).status()).isEqualTo(401);
            assertThat(answer(closed, get("/v1/videos")).status()).isEqualTo(401);
            Await.until("listed", SOON, () -> answer(closed, get("/v1/videos", "x-api-key: key-a-0123456789"))
                    .bodyText()
                    .contains(id));
            assertThat(answer(closed, get("/v1/videos", "x-api-key: key-b-0123456789"))
                            .bodyText())
                    .isEqualTo(
                            "{\"object\":\"list\",\"data\":[],\"first_id\":null,\"last_id\":null,\"has_more\":false}");
            assertThat(answer(get("/v1/videos/" + id)).status())
                    .as("another key")
                    .isEqualTo(404);
        }
    }

    @Test
    void jobs_are_listed_until_they_are_deleted() throws Exception {
        try (Fleet fleet = scene.fleet(1)) {
            String id = made(fleet);

            Await.until("listed", SOON, () -> list("?limit=1")
                    .path("data")
                    .path(0)
                    .path("id")
                    .asText()
                    .equals(id));

            JsonNode page = list("?limit=1&order=desc");
            assertThat(page.path("object").asText()).isEqualTo("list");
            assertThat(page.path("first_id").asText()).isEqualTo(id);
            assertThat(page.path("data").path(0).path("status").asText()).isEqualTo("unknown");
            fleet.plan(Plan.json(200, "{\"id\":\"" + VIDEO + "\",\"deleted\":true}"));
            assertThat(answer(delete("/v1/videos/" + id)).status()).isEqualTo(200);
            Await.until("not listed", SOON, () -> !list("?limit=100").toString().contains(id));
            for (String query : new String[] {"?limit=0", "?limit=101", "?limit=x", "?order=up", "?after=video_x"}) {
                assertThat(OwnError.of(answer(get("/v1/videos" + query))).status())
                        .as(query)
                        .isEqualTo(400);
            }
        }
    }

    @Test
    void without_redis_jobs_are_made_and_found_and_not_listed() throws Exception {
        try (Fleet fleet = scene.fleet(1)) {
            scene.infra().infra().redisProxy().refuse();
            try {
                Await.until("not listed", SOON, () -> answer(get("/v1/videos")).status() == 503);
                assertThat(OwnError.of(answer(get("/v1/videos"))).code()).isEqualTo("job_index_unavailable");
                String id = made(fleet);
                assertThat(answer(get("/v1/videos/" + id)).status()).isEqualTo(200);
            } finally {
                scene.infra().infra().redisProxy().pass();
            }
            Await.until("listed again", SOON, () -> answer(get("/v1/videos")).status() == 200);
        }
    }

    private JsonNode list(String query) {
        return json(answer(get("/v1/videos" + query)));
    }

    private static JsonNode json(Response answer) {
        try {
            return JSON.readTree(answer.bodyText());
        } catch (JsonProcessingException e) {
            throw new AssertionError("no JSON: " + answer.bodyText(), e);
        }
    }

    private void allows(String methodAndTarget, String allowed) {
        Response answer = answer(Requests.head(methodAndTarget));
        assertThat(OwnError.of(answer).status()).as(methodAndTarget).isEqualTo(405);
        assertThat(answer.header("allow")).as(methodAndTarget).isEqualTo(allowed);
    }

    /** Our id for a video that one of the fleet makes. */
    private String made(Fleet fleet) {
        fleet.script(Script.always(Plan.json(200, CREATED.formatted(VIDEO, ""))));
        return idOf(answer(Requests.post("/v1/videos", body(fleet))));
    }

    private static int ownerOf(Fleet fleet) {
        for (int i = 1; i <= fleet.replicas().size(); i++) if (fleet.u(i).log().count() > 0) return i;
        throw new AssertionError("nobody was asked");
    }

    private static String idOf(Response answer) {
        assertThat(answer.status()).as(answer.bodyText()).isEqualTo(200);
        return json(answer).path("id").asText();
    }

    private static byte[] body(Fleet fleet) {
        return ("{\"model\":\"" + fleet.model() + "\",\"input\":\"x\",\"prompt\":\"x\"}").getBytes(UTF_8);
    }

    private static String stored(String id, String previous) {
        return "{\"id\":\"" + id + "\",\"object\":\"response\",\"previous_response_id\":" + previous
                + ",\"output\":[{\"id\":\"msg_1\",\"type\":\"message\"}]}";
    }

    private static String event(String name, String data) {
        return "event: " + name + "\ndata: " + data + "\n\n";
    }

    private static byte[] get(String target, String... headers) {
        return Requests.head("GET " + target, headers);
    }

    private static byte[] delete(String target) {
        return Requests.head("DELETE " + target);
    }

    private Response answer(byte[] request) {
        return answer(scene, request);
    }

    private static Response answer(RouterScene scene, byte[] request) {
        try {
            return RawClient.exchange(scene.port(), request, SOON).answer();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
