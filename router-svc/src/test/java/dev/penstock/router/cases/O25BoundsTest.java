package dev.penstock.router.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.RawHttp.Response;
import dev.penstock.testkit.raw.RawClient;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Clients mint no series, no memory and no Redis keys, and find nothing but the API on its port. */
@ExtendWith(CaseExtension.class)
class O25BoundsTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int NAMES = 20_000;
    private static final int CLIENTS = 8;
    private static final int PIPELINED = 50;

    private final RouterScene scene;

    O25BoundsTest(RouterScene scene) {
        this.scene = scene;
    }

    @Test
    void made_up_names_leave_nothing_behind() throws Exception {
        try (Fleet fleet = scene.fleet(1)) {
            assertThat(send(Requests.plain(fleet)).status()).isEqualTo(200);
            long series = series();
            long heap = heap();
            try (LogTap log = LogTap.open()) {
                flood(i -> Requests.chat(
                        "{\"model\":\"made/up-" + i + "\",\"user\":\"u-" + i + "\"}", "X-Request-Id: id-" + i));
                assertThat(log.lines()).hasSizeLessThan(100);
            }

            assertThat(series() - series).isLessThan(50);
            assertThat(heap() - heap).isLessThan(20 << 20);
            assertThat(scene.operations("/metrics").body()).doesNotContain("made/up");
            assertThat(send(Requests.plain(fleet)).status()).isEqualTo(200);
            assertThat(send(Requests.chat(Requests.plainBody("alias-m"))).status())
                    .isEqualTo(200);
        }
    }

    @Test
    void made_up_paths_and_methods_mint_no_series() throws Exception {
        long series = series();

        flood(500, i -> Requests.head("GET /v1/made-up-" + i));
        Together.run(
                100,
                CLIENTS,
                i -> () -> RawClient.exchange(scene.port(), Requests.head("FOO" + i + " /v1/x"), SOON)
                        .answer()
                        .status());

        assertThat(series() - series).isLessThan(50);
    }

    @Test
    void the_public_port_has_the_api_and_nothing_else() throws Exception {
        try (Fleet fleet = scene.fleet(1)) {
            for (String path : List.of(
                    "/metrics",
                    "/ready",
                    "/readyz",
                    "/livez",
                    "/admin",
                    "/debug/pprof",
                    "/debug/view",
                    "/debug/config",
                    "/debug/decisions/x",
                    "/actuator",
                    "/q/health",
                    "/routes",
                    "/replicas",
                    "/v1/policies",
                    "/")) {
                for (String method : List.of("GET", "POST", "PUT", "DELETE")) {
                    Response answer = send(Requests.head(method + " " + path, "Content-Length: 0"));
                    assertThat(answer.status()).as(method + " " + path).isIn(404, 405);
                    OwnError.of(answer);
                }
            }
            assertThat(send(Requests.head("GET /health")).status()).isEqualTo(200);
            assertThat(fleet.count()).isZero();
        }
    }

    private interface Made {
        byte[] request(int i);
    }

    private void flood(Made made) throws Exception {
        flood(NAMES, made);
    }

    /** Over a few connections, many requests in a row on each. */
    private void flood(int count, Made made) throws Exception {
        Together.run(CLIENTS, CLIENTS, client -> () -> {
            try (RawClient raw = RawClient.connect(scene.port())) {
                int sent = 0;
                for (int from = client * PIPELINED; from < count; from += CLIENTS * PIPELINED) {
                    byte[][] requests = new byte[PIPELINED][];
                    for (int i = 0; i < PIPELINED; i++) requests[i] = made.request(from + i);
                    raw.send(Requests.joined(requests));
                    sent += PIPELINED;
                    int expected = sent;
                    raw.await("answers", SOON, received -> answers(received.raw()) == expected);
                }
            }
            return true;
        });
    }

    /** Cheaper than parsing all of them again with each that comes. */
    private static int answers(byte[] raw) {
        byte[] mark = "HTTP/1.1 404".getBytes(StandardCharsets.US_ASCII);
        int count = 0;
        for (int at = 0; at <= raw.length - mark.length; at++) {
            if (raw[at] == 'H' && java.util.Arrays.equals(raw, at, at + mark.length, mark, 0, mark.length)) count++;
        }
        return count;
    }

    private Response send(byte[] request) throws Exception {
        return RawClient.exchange(scene.port(), request, SOON).answer();
    }

    private long series() {
        return scene.operations("/metrics")
                .body()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .count();
    }

    private static long heap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
