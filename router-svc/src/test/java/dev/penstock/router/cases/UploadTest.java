package dev.penstock.router.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.Await;
import dev.penstock.testkit.Form;
import dev.penstock.testkit.RawHttp.Response;
import dev.penstock.testkit.Sha256;
import dev.penstock.testkit.raw.Plan;
import dev.penstock.testkit.raw.RawClient;
import dev.penstock.testkit.raw.SeenRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Forms reach the engine of the model they name, byte for byte, and are not held for longer than it takes to find it. */
@ExtendWith(CaseExtension.class)
class UploadTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration AT_ONCE = Duration.ofSeconds(1);
    private static final byte[] AUDIO = noise(300_000);

    private final RouterScene scene;

    UploadTest(RouterScene scene) {
        this.scene = scene;
    }

    @Test
    void a_form_with_its_model_first_passes_unchanged() throws Exception {
        try (Fleet fleet = scene.fleet(2)) {
            byte[] form = new Form()
                    .field("model", "org/m-7b")
                    .field("language", "de")
                    .file("file", AUDIO)
                    .bytes();

            Response answer = send(Requests.form(form, "X-Api-Key: secret"));

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.bodyText()).isEqualTo("{\"good\":true}");
            SeenRequest seen = fleet.only();
            assertThat(seen.sha256()).isEqualTo(Sha256.hex(form));
            assertThat(seen.values("Content-Length")).containsExactly(String.valueOf(form.length));
            assertThat(seen.has("Transfer-Encoding")).isFalse();
            assertThat(seen.has("X-Api-Key")).isFalse();
            assertThat(seen.values("Content-Type")).containsExactly(Form.TYPE.substring(14));
            fleet.awaitIdle();
        }
    }

    @Test
    void a_form_with_its_file_first_passes_unchanged() throws Exception {
        try (Fleet fleet = scene.fleet(2)) {
            byte[] form = new Form()
                    .file("file", noise(3_000_000))
                    .field("model", "org/m-7b")
                    .bytes();

            assertThat(send(Requests.form(form)).status()).isEqualTo(200);

            assertThat(fleet.only().sha256()).isEqualTo(Sha256.hex(form));
            awaitNothingHeld();
            fleet.awaitIdle();
        }
    }

    @Test
    void an_alias_is_replaced_and_nothing_else() throws Exception {
        try (Fleet fleet = scene.fleet(1)) {
            byte[] form =
                    new Form().field("model", "alias-m").file("file", AUDIO).bytes();
            byte[] expected =
                    new Form().field("model", "org/m-7b").file("file", AUDIO).bytes();

            assertThat(send(Requests.form(form)).status()).isEqualTo(200);

            assertThat(fleet.only().sha256()).isEqualTo(Sha256.hex(expected));
            assertThat(fleet.only().values("Content-Length")).containsExactly(String.valueOf(expected.length));
        }
    }

    @Test
    void a_chunked_form_is_sent_on_in_chunks() throws Exception {
        try (Fleet fleet = scene.fleet(1);
                RawClient client = RawClient.connect(scene.port())) {
            byte[] form =
                    new Form().field("model", "org/m-7b").file("file", AUDIO).bytes();
            client.send(Requests.formHead("Transfer-Encoding: chunked"));
            for (int at = 0; at < form.length; at += 7_001) {
                int length = Math.min(7_001, form.length - at);
                client.send(Integer.toHexString(length) + "\r\n");
                client.send(java.util.Arrays.copyOfRange(form, at, at + length)).send("\r\n");
            }
            client.send("0\r\n\r\n");

            assertThat(client.awaitAnswers(1, SOON).answer().status()).isEqualTo(200);

            assertThat(fleet.only().sha256()).isEqualTo(Sha256.hex(form));
            assertThat(fleet.only().values("Transfer-Encoding")).containsExactly("chunked");
            assertThat(fleet.only().has("Content-Length")).isFalse();
        }
    }

    @Test
    void a_client_that_asks_before_it_sends_is_told_to() throws Exception {
        try (Fleet fleet = scene.fleet(1);
                RawClient client = RawClient.connect(scene.port())) {
            byte[] form =
                    new Form().field("model", "org/m-7b").file("file", AUDIO).bytes();
            client.send(Requests.formHead("Expect: 100-continue", "Content-Length: " + form.length));
            client.await("100", SOON, received -> received.statuses().contains(100));

            client.send(form);

            assertThat(client.awaitAnswers(1, SOON).statuses()).containsExactly(100, 200);
            assertThat(fleet.only().has("Expect")).isFalse();
        }
    }

    @Test
    void a_replica_that_refuses_connections_is_passed_over() throws Exception {
        try (Fleet fleet = scene.fleet(2)) {
            fleet.u(1).refuse();
            byte[] form =
                    new Form().field("model", "org/m-7b").file("file", AUDIO).bytes();

            for (int i = 0; i < 4; i++)
                assertThat(send(Requests.form(form)).status()).isEqualTo(200);

            assertThat(fleet.u(2).log().count()).isEqualTo(4);
            fleet.awaitIdle();
            fleet.u(1).listen();
        }
    }

    @Test
    void what_was_sent_is_sent_once() throws Exception {
        try (Fleet fleet = scene.fleet(2)) {
            fleet.plan(Plan.json(503, "{\"error\":{\"message\":\"full\"}}"));
            byte[] form =
                    new Form().field("model", "org/m-7b").file("file", AUDIO).bytes();

            Response answer = send(Requests.form(form));

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.header("Retry-After")).isNotNull();
            assertThat(fleet.count()).isEqualTo(1);
            fleet.awaitIdle();
        }
    }

    @Test
    void forms_that_say_nothing_clear_are_refused() throws Exception {
        try (Fleet fleet = scene.fleet(1)) {
            assertRefused(
                    400, "'model' is missing", new Form().file("file", AUDIO).bytes());
            assertRefused(
                    400, "final boundary", new Form().field("model", "org/m-7b").unfinished());
            assertRefused(
                    400,
                    "more than one 'model'",
                    new Form()
                            .field("model", "org/m-7b")
                            .file("file", AUDIO)
                            .field("model", "other")
                            .bytes());
            assertRefused(
                    404,
                    "does not exist",
                    new Form().field("model", "nobody").file("file", AUDIO).bytes());
            assertThat(send(Requests.post(Requests.TRANSCRIPTIONS, new byte[10]))
                            .status())
                    .isEqualTo(415);
            assertThat(send(Requests.post("/v1/videos", new byte[10], "Content-Type: text/plain"))
                            .status())
                    .isEqualTo(415);
            assertThat(send(Requests.post(Requests.TRANSCRIPTIONS, new byte[10], "Content-Type: multipart/form-data"))
                            .status())
                    .isEqualTo(400);
            fleet.awaitIdle();
            awaitNothingHeld();
        }
    }

    @Test
    void json_is_no_form_where_either_may_be_sent() throws Exception {
        try (Fleet fleet = scene.fleet(1)) {
            byte[] json = "{\"model\":\"org/m-7b\",\"prompt\":\"a cat\"}".getBytes(StandardCharsets.UTF_8);
            byte[] form = new Form()
                    .field("model", "org/m-7b")
                    .field("prompt", "a cat")
                    .bytes();

            assertThat(send(Requests.post("/v1/videos", json)).status()).isEqualTo(200);
            assertThat(send(Requests.post("/v1/videos", form, Form.TYPE)).status())
                    .isEqualTo(200);

            assertThat(fleet.requests())
                    .extracting(SeenRequest::sha256)
                    .containsExactly(Sha256.hex(json), Sha256.hex(form));
        }
    }

    @Test
    void a_slow_engine_slows_its_client_and_nothing_is_held() throws Exception {
        CountDownLatch reads = new CountDownLatch(1);
        try (UploadEngine engine = UploadEngine.patient(reads);
                Guests guests = Guests.join(scene, "org/up-slow", engine.port());
                RawClient client = RawClient.connect(scene.port())) {
            byte[] form = new Form()
                    .field("model", "org/up-slow")
                    .file("file", noise(100_000_000))
                    .bytes();
            client.send(Requests.formHead("Content-Length: " + form.length));
            Counted sent = new Counted();

            Thread sender = Thread.ofVirtual().start(() -> sent.send(client, form));
            Await.until("at the engine", SOON, () -> engine.heads() == 1);
            long before = sent.awaitStill();

            assertThat(before).as("sent to an engine that reads nothing").isLessThan(40_000_000);
            assertThat(heldBytes()).isLessThanOrEqualTo(128 << 10);

            reads.countDown();
            assertThat(client.awaitAnswers(1, Duration.ofSeconds(60)).answer().bodyText())
                    .isEqualTo("{\"text\":\"heard\"}");
            sender.join();
            assertThat(engine.sha256()).isEqualTo(Sha256.hex(form));
            awaitNothingHeld();
            guests.awaitIdle();
        }
    }

    @Test
    void an_answer_before_the_end_is_the_answer() throws Exception {
        try (UploadEngine engine = UploadEngine.refusing(1_000_000);
                Guests guests = Guests.join(scene, "org/up-early", engine.port());
                RawClient client = RawClient.connect(scene.port())) {
            byte[] form = new Form()
                    .field("model", "org/up-early")
                    .file("file", noise(30_000_000))
                    .bytes();
            client.send(Requests.formHead("Content-Length: " + form.length));

            Thread sender = Thread.ofVirtual().start(() -> new Counted().send(client, form));
            Response answer = client.awaitAnswers(1, SOON).answer();

            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.bodyText()).contains("enough");
            sender.join();
            Await.until("given up at the engine", SOON, () -> engine.cut() == 1);
            assertThat(engine.bodyBytes()).isLessThan(form.length);
            guests.awaitIdle();
            client.send(Requests.head("GET /v1/models"));
            assertThat(client.awaitAnswers(2, SOON).statuses()).containsExactly(413, 200);
        }
    }

    @Test
    void a_client_that_leaves_in_its_upload_reaches_the_engine() throws Exception {
        CountDownLatch reads = new CountDownLatch(0);
        try (UploadEngine engine = UploadEngine.patient(reads);
                Guests guests = Guests.join(scene, "org/up-left", engine.port())) {
            Outcomes before = scene.outcomes();
            RawClient client = RawClient.connect(scene.port());
            client.send(Requests.formHead("Content-Length: 20000000"));
            client.send(new Form()
                    .field("model", "org/up-left")
                    .file("file", noise(1_000_000))
                    .unfinished());
            Await.until("half of it is there", SOON, () -> engine.bodyBytes() > 1_000_000);
            assertThat(guests.inflight()).isEqualTo(1);

            client.close();

            Await.until("cut at the engine", AT_ONCE, () -> engine.cut() == 1);
            guests.awaitIdle();
            Map<String, Long> expected = Map.of("client_abort", 1L);
            Await.value("outcomes", SOON, () -> scene.outcomes().since(before).counts(), expected::equals);
            awaitNothingHeld();
        }
    }

    @Test
    void a_client_that_leaves_while_its_engine_reads_nothing_is_let_go() throws Exception {
        CountDownLatch reads = new CountDownLatch(1);
        try (UploadEngine engine = UploadEngine.patient(reads);
                Guests guests = Guests.join(scene, "org/up-stuck", engine.port())) {
            RawClient client = RawClient.connect(scene.port());
            client.send(Requests.formHead("Content-Length: 90000000"));
            byte[] form = new Form()
                    .field("model", "org/up-stuck")
                    .file("file", noise(80_000_000))
                    .unfinished();
            Counted sent = new Counted();
            Thread sender = Thread.ofVirtual().start(() -> sent.send(client, form));
            sent.awaitStill();

            client.reset();

            sender.join();
            guests.awaitIdle();
            awaitNothingHeld();
            reads.countDown();
            Await.until("cut at the engine", SOON, () -> engine.cut() == 1);
            assertThat(engine.bodyBytes()).isLessThan(form.length);
        }
    }

    @Test
    void many_forms_at_once_arrive_whole() throws Exception {
        try (Fleet fleet = scene.fleet("org/up-many", 2)) {
            byte[] form =
                    new Form().field("model", "org/up-many").file("file", AUDIO).bytes();

            List<Integer> statuses =
                    Together.run(40, 16, i -> () -> send(Requests.form(form)).status());

            assertThat(statuses).hasSize(40).containsOnly(200);
            assertThat(fleet.requests()).extracting(SeenRequest::sha256).containsOnly(Sha256.hex(form));
            fleet.awaitIdle();
        }
    }

    private void assertRefused(int status, String message, byte[] form) throws Exception {
        Response answer = send(Requests.form(form));
        assertThat(answer.status()).as(answer.bodyText()).isEqualTo(status);
        assertThat(answer.bodyText()).contains(message);
    }

    private Response send(byte[] request) throws Exception {
        return RawClient.exchange(scene.port(), request, SOON).answer();
    }

    private void awaitNothingHeld() {
        Await.value("held bytes", AT_ONCE, this::heldBytes, held -> held == 0);
    }

    private long heldBytes() {
        for (String line : scene.operations("/metrics").body().split("\n", -1)) {
            if (line.startsWith("penstock_router_body_bytes ")) {
                return (long) Double.parseDouble(line.substring(line.indexOf(' ') + 1));
            }
        }
        throw new AssertionError("no gauge of held bytes");
    }

    private static byte[] noise(int length) {
        byte[] noise = new byte[length];
        new SplittableRandom(length).nextBytes(noise);
        return noise;
    }
}
