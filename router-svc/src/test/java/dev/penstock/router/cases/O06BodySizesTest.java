package dev.penstock.router.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.config.ConfigTree;
import dev.penstock.router.config.RouterConfig;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.RawHttp.Response;
import dev.penstock.testkit.Sha256;
import dev.penstock.testkit.raw.Plan;
import dev.penstock.testkit.raw.RawClient;
import dev.penstock.testkit.raw.Received;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A body has one limit, which is documented; a larger one gets an answer that its client can read, and many do not end it all. */
@ExtendWith(CaseExtension.class)
class O06BodySizesTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final int KIB = 1024;
    private static final int MOST = 256 * KIB;
    private static final int ALL = 2_048 * KIB;
    private static final int LARGE = 22_000_000;
    private static final String OPEN = "{\"model\":\"org/m-7b\",\"messages\":[{\"role\":\"user\",\"content\":"
            + "[{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/png;base64,";
    private static final String CLOSE = "\"}}]}]}";

    private static RouterScene small;

    private final RouterScene scene;

    O06BodySizesTest(RouterScene scene) {
        this.scene = scene;
    }

    @BeforeAll
    static void start(CaseInfra infra) {
        small = RouterScene.start(
                infra, "small", "router: {maxBody: " + MOST / KIB + "KiB, bodyMemory: " + ALL / KIB + "KiB}");
    }

    @AfterAll
    static void stop() {
        small.close();
    }

    @Test
    void no_size_is_a_cliff() throws Exception {
        List<Integer> sizes =
                List.of(8_191, 8_192, 8_193, 32_767, 32_768, 32_769, 65_535, 65_536, 65_537, 1_048_577, LARGE);
        try (Fleet fleet = scene.fleet(1)) {
            for (int size : sizes) {
                byte[] body = body(size);
                String digest = Sha256.hex(body);

                assertThat(send(scene, sized(body)).status()).isEqualTo(200);
                assertThat(fleet.u(1).log().last().sha256()).as(size + " bytes").isEqualTo(digest);
                assertThat(send(scene, chunked(body)).status()).isEqualTo(200);
                assertThat(fleet.u(1).log().last().sha256())
                        .as(size + " bytes in chunks")
                        .isEqualTo(digest);
            }
        }
    }

    @Test
    void with_half_a_gigabyte_eight_large_ones_are_served_and_forty_end_nothing() throws Exception {
        byte[] request = sized(body(LARGE));
        String digest = Sha256.hex(body(LARGE));
        try (Fleet fleet = scene.fleet(2);
                RouterProcess router = RouterProcess.start(scene.infra(), "half-a-gigabyte", "512m")) {
            assertThat(Together.run(8, 8, i -> () -> statusOf(router, request))).containsOnly(200);

            List<Integer> statuses =
                    Together.run(44, 44, i -> () -> i % 11 == 0 ? operations(router) : statusOf(router, request));

            assertThat(statuses).isSubsetOf(200, 413, 429, 503).contains(200);
            assertThat(fleet.requests()).allMatch(seen -> seen.sha256().equals(digest));
            assertThat(router.isAlive()).as(router.output()).isTrue();
            assertThat(statusOf(router, sized(body(MOST)))).isEqualTo(200);
        }
    }

    private static int statusOf(RouterProcess router, byte[] request) throws Exception {
        try (RawClient client = RawClient.connect(router.port())) {
            // Who is refused while sending still reads the answer.
            client.sendSlowly(request, request.length, Duration.ZERO);
            return client.awaitAnswers(1, SOON).answer().status();
        }
    }

    private static int operations(RouterProcess router) {
        long start = System.nanoTime();
        int status = router.operations("/livez").statusCode();
        assertThat(System.nanoTime() - start).isLessThan(1_000_000_000);
        return status;
    }

    @Test
    void the_limit_by_default_is_no_less_than_32_mb() {
        assertThat(RouterConfig.read(ConfigTree.of("")).maxBody()).isGreaterThanOrEqualTo(32_000_000);
    }

    @Test
    void the_limit_itself_passes_and_one_byte_more_does_not() throws Exception {
        try (Fleet fleet = small.fleet(1)) {
            for (int size : List.of(MOST - 1, MOST)) {
                assertThat(send(small, sized(body(size))).status()).isEqualTo(200);
                assertThat(send(small, chunked(body(size))).status()).isEqualTo(200);
            }
            assertThat(fleet.count()).isEqualTo(4);

            assertThat(OwnError.of(send(small, sized(body(MOST + 1)))).status()).isEqualTo(413);
            assertThat(OwnError.of(send(small, chunked(body(MOST + 1)))).status())
                    .isEqualTo(413);
            assertThat(fleet.count()).isEqualTo(4);
        }
    }

    @Test
    void a_client_that_sends_slowly_can_read_its_413() throws Exception {
        for (byte[] request : List.of(sized(body(2 * MOST)), chunked(body(2 * MOST)))) {
            try (RawClient client = RawClient.connect(small.port())) {
                client.sendSlowly(request, 16 * KIB, Duration.ofMillis(400));

                Received received = client.awaitAnswers(1, SOON);

                assertThat(OwnError.of(received.answer()).status()).isEqualTo(413);
                assertThat(received.answer().complete()).isTrue();
            }
        }
    }

    @Test
    void many_at_once_stay_within_the_memory_that_bodies_may_take() throws Exception {
        byte[] request = sized(body(MOST));
        String digest = Sha256.hex(body(MOST));
        try (Fleet fleet = small.fleet(2)) {
            fleet.plan(Plan.start().waits(100).then(Plan.json(200, "{}")));

            List<Integer> statuses = Together.run(
                    40,
                    40,
                    i -> () -> i % 8 == 0 ? operations() : send(small, request).status());

            assertThat(statuses).isSubsetOf(200, 413, 429, 503).contains(429, 200);
            assertThat(fleet.requests()).allMatch(seen -> seen.sha256().equals(digest));
            Await.until("memory given back", SOON, () -> small.operations("/metrics")
                    .body()
                    .contains("\npenstock_router_body_bytes 0.0"));
        }
    }

    private static int operations() {
        long start = System.nanoTime();
        int status = small.operations("/livez").statusCode();
        assertThat(System.nanoTime() - start).isLessThan(1_000_000_000);
        return status;
    }

    private static Response send(RouterScene scene, byte[] request) throws Exception {
        return RawClient.exchange(scene.port(), request, SOON).answer();
    }

    private static byte[] body(int size) {
        byte[] body = new byte[size];
        Arrays.fill(body, (byte) 'A');
        byte[] open = OPEN.getBytes(StandardCharsets.US_ASCII);
        byte[] close = CLOSE.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(open, 0, body, 0, open.length);
        System.arraycopy(close, 0, body, size - close.length, close.length);
        return body;
    }

    private static byte[] sized(byte[] body) {
        return Requests.post(Requests.CHAT, body);
    }

    /** In two chunks and the last. */
    private static byte[] chunked(byte[] body) {
        int half = body.length / 2;
        return Requests.joined(
                Requests.head("POST " + Requests.CHAT, "Transfer-Encoding: chunked"),
                Requests.chunk(Arrays.copyOf(body, half)),
                Requests.chunk(Arrays.copyOfRange(body, half, body.length)),
                "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    }
}
