package dev.penstock.router.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.Await;
import dev.penstock.testkit.RawHttp.Ending;
import dev.penstock.testkit.raw.Plan;
import dev.penstock.testkit.raw.RawClient;
import dev.penstock.testkit.raw.Received;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A stream that ends untidily is passed on as it came, with nothing added, and judged by what it said. */
@ExtendWith(CaseExtension.class)
class O02UntidyEndTest {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final String CONTENT = "{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"}}]}";
    private static final String FINISH = "{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],"
            + "\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":1,\"total_tokens\":4}}";

    private static final String PROMPT = "penstock_router_tokens_total{kind=\"prompt\"}";
    private static final String COMPLETION = "penstock_router_tokens_total{kind=\"completion\"}";

    private final RouterScene scene;

    O02UntidyEndTest(RouterScene scene) {
        this.scene = scene;
    }

    @Test
    void a_finish_without_its_blank_line_counts() throws Exception {
        passes_and_is_ok("data: " + FINISH + "\n");
    }

    @Test
    void a_finish_without_any_line_end_counts() throws Exception {
        passes_and_is_ok("data: " + FINISH);
    }

    @Test
    void a_finish_without_done_is_an_end() throws Exception {
        passes_and_is_ok("data: " + FINISH + "\n\n");
    }

    @Test
    void a_body_that_ends_with_its_connection_gets_a_proper_end() throws Exception {
        String body = "data: " + CONTENT + "\n\ndata: " + FINISH + "\n\ndata: [DONE]\n\n";
        Plan plan = Plan.start()
                .send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
                .send(body)
                .fin();

        ends_as(plan, body, "ok");
    }

    @Test
    void a_stream_without_finish_is_incomplete_though_http_ended_well() throws Exception {
        ends_as(Plan.stream().event(CONTENT).end(), "data: " + CONTENT + "\n\n", "incomplete_stream");
    }

    @Test
    void a_connection_that_stays_open_after_the_finish_is_ended_on_both_sides() throws Exception {
        try (Fleet fleet = scene.fleet(1);
                RawClient client = RawClient.connect(scene.port())) {
            fleet.plan(Plan.stream().event(CONTENT).event(FINISH).hold());

            client.send(Requests.stream(fleet)).awaitText(FINISH, SOON);
            assertThat(fleet.inflight()).isEqualTo(1);
            Received ended = client.await(
                    "an end",
                    SOON,
                    received -> received.ending() != Ending.OPEN
                            || received.answer().complete());

            assertThat(ended.bodyText()).startsWith("data: " + CONTENT + "\n\ndata: " + FINISH + "\n\n");
            assertThat(ended.bodyText()).doesNotContain("[DONE]");
            Await.until("closed at the engine", SOON, () -> fleet.u(1).log().peerClosed() == 1);
            fleet.awaitIdle();
        }
    }

    private void passes_and_is_ok(String last) throws Exception {
        ends_as(Plan.stream().event(CONTENT).chunk(last).end(), "data: " + CONTENT + "\n\n" + last, "ok");
    }

    private void ends_as(Plan plan, String body, String outcome) throws Exception {
        try (Fleet fleet = scene.fleet(1)) {
            fleet.plan(plan);
            Outcomes before = scene.outcomes();
            long prompt = scene.metric(PROMPT);
            long completion = scene.metric(COMPLETION);

            Received received = RawClient.exchange(scene.port(), Requests.stream(fleet), SOON);

            assertThat(received.bodyText()).isEqualTo(body);
            assertThat(received.answer().complete()).isTrue();
            assertThat(received.answer().header("transfer-encoding")).isEqualTo("chunked");
            Await.value(
                    "its outcome",
                    SOON,
                    () -> scene.outcomes().since(before).counts(),
                    counts -> counts.equals(Map.of(outcome, 1L)));
            boolean told = body.contains("usage");
            assertThat(scene.metric(PROMPT) - prompt).isEqualTo(told ? 3 : 0);
            assertThat(scene.metric(COMPLETION) - completion).isEqualTo(told ? 1 : 0);
            fleet.awaitIdle();
        }
    }
}
