package dev.penstock.router.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.Await;
import dev.penstock.testkit.Sha256;
import dev.penstock.testkit.raw.Plan;
import dev.penstock.testkit.raw.RawClient;
import dev.penstock.testkit.raw.Received;
import dev.penstock.testkit.raw.SeenRequest;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A chunk of the transport is no message, no character and no line: wherever a stream is cut, it is relayed as it came. */
@ExtendWith(CaseExtension.class)
class O01SseBoundariesTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final int AT_ONCE = 24;
    /** Of the pieces of a body: the whole as one chunk, and each byte as one. */
    private static final int WHOLE = 0;

    private static final int BYTES = -1;

    private static final List<String> EVENTS = List.of(
            "{\"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}",
            "{\"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"水路: naïve 你好 🚰\"}}]}",
            "{\"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\" end\\r\\n\"}}]}",
            "{\"id\":\"c1\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}",
            "[DONE]");
    private static final Map<String, byte[]> BODIES = Map.of(
            "B1", body("\n\n", "\n\n", "\n\n", "\n\n", "\n\n"),
            "B2", body("\r\n\r\n", "\r\n\r\n", "\r\n\r\n", "\r\n\r\n", "\r\n\r\n"),
            "B3", body("\r\r", "\n\r\n", "\r\n\n", "\r\n\r\n", "\n\n"));
    private static final Map<String, String> DIGESTS = Map.of(
            "B1", "6325a24213fb3064f5c577b2798aa8d756ad2adb092cf38ff3ea1601328e3768",
            "B2", "0ccdd683893518bdcfe16c61f35c01e543bd82710ab1734aa2ecbcdaaaa48922",
            "B3", "16c52fdd67b41b6d05bd5bf28e0b534d71ad7fd25e19b557d2ce95bcd0e2f6c8");

    private final RouterScene scene;

    O01SseBoundariesTest(RouterScene scene) {
        this.scene = scene;
    }

    @Test
    void lines_that_end_in_lf_pass_wherever_they_are_cut() throws Exception {
        every_cut_passes("B1");
    }

    @Test
    void lines_that_end_in_crlf_pass_wherever_they_are_cut() throws Exception {
        every_cut_passes("B2");
    }

    @Test
    void lines_that_end_in_any_mixture_pass_wherever_they_are_cut() throws Exception {
        every_cut_passes("B3");
    }

    @Test
    void nothing_is_delayed_until_more_comes() throws Exception {
        byte[] body = BODIES.get("B1");
        int cut = new String(body, StandardCharsets.ISO_8859_1).indexOf("\n\n", 120) + 2;
        CountDownLatch go = new CountDownLatch(1);
        try (Fleet fleet = scene.fleet(1);
                RawClient client = RawClient.connect(scene.port())) {
            fleet.plan(Plan.stream()
                    .chunk(Arrays.copyOf(body, cut))
                    .until(go)
                    .chunk(Arrays.copyOfRange(body, cut, body.length))
                    .end());

            Received begun = client.send(Requests.stream(fleet))
                    .await("E1 and E2", Duration.ofSeconds(5), received -> received.text()
                            .contains("\n\n\r\n"));

            assertThat(begun.body()).isEqualTo(Arrays.copyOf(body, cut));
            assertThat(begun.arrivedNanos(begun.raw().length) - fleet.only().atNanos())
                    .isLessThan(100_000_000);
            go.countDown();
            assertThat(client.awaitAnswers(1, SOON).sha256()).isEqualTo(DIGESTS.get("B1"));
        }
    }

    private void every_cut_passes(String name) throws Exception {
        int runs = BODIES.get(name).length + 1;
        assertThat(Sha256.hex(BODIES.get(name))).isEqualTo(DIGESTS.get(name));
        try (Fleet fleet = scene.fleet(1);
                OutcomesTap told = OutcomesTap.open(scene.infra());
                LogTap log = LogTap.open()) {
            fleet.script(O01SseBoundariesTest::plan);
            Outcomes before = scene.outcomes();

            assertThat(Together.run(runs, AT_ONCE, cut -> () -> digest(fleet, name, cut < runs - 1 ? cut : BYTES)))
                    .containsOnly(DIGESTS.get(name));

            Map<String, Long> all = Map.of("ok", (long) runs);
            Await.value(
                    "all counted", SOON, () -> scene.outcomes().since(before).counts(), all::equals);
            long events = (long) EVENTS.size() * runs;
            Await.value("the same events in each", SOON, () -> told.events(fleet.numberOf(1)), seen -> seen == events);
            assertThat(log.warnings()).isEmpty();
        }
    }

    private String digest(Fleet fleet, String body, int cut) throws Exception {
        byte[] request = Requests.stream(fleet, "X-Cut: " + body + " " + cut);
        Received received = RawClient.exchange(scene.port(), request, SOON);
        assertThat(received.answer().complete()).as(body + " " + cut).isTrue();
        return received.sha256();
    }

    private static Plan plan(SeenRequest request) {
        String[] words = request.values("x-cut").getFirst().split(" ", 2);
        byte[] body = BODIES.get(words[0]);
        int cut = Integer.parseInt(words[1]);
        Plan plan = Plan.stream();
        if (cut == WHOLE) return plan.chunk(body).end();
        if (cut == BYTES) {
            for (byte each : body) plan = plan.chunk(new byte[] {each});
            return plan.end();
        }
        return plan.chunk(Arrays.copyOf(body, cut))
                .waits(5)
                .chunk(Arrays.copyOfRange(body, cut, body.length))
                .end();
    }

    private static byte[] body(String... separators) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (int i = 0; i < separators.length; i++) {
            body.writeBytes(("data: " + EVENTS.get(i) + separators[i]).getBytes(StandardCharsets.UTF_8));
        }
        return body.toByteArray();
    }
}
