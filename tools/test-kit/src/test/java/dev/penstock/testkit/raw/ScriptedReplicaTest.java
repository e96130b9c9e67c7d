package dev.penstock.testkit.raw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.testkit.Await;
import dev.penstock.testkit.RawHttp.Ending;
import dev.penstock.testkit.RawHttp.HeaderLine;
import dev.penstock.testkit.RawHttp.Response;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ScriptedReplicaTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final String POST = "POST /v1/chat/completions?x=a%2Fb HTTP/1.1\r\nX-Dup: 1\r\nx-dup:  2\r\n";
    private static final String HELLO = POST + "Content-Length: 5\r\n\r\nhello";

    private final ScriptedReplica replica = ScriptedReplica.start("m", Plan.json(200, "{}"));

    @AfterEach
    void close() {
        replica.close();
    }

    @Test
    void a_request_is_recorded_as_it_came() throws Exception {
        RawClient.exchange(replica.port(), HELLO.getBytes(), SOON);

        SeenRequest seen = replica.log().last();
        assertThat(seen.line()).isEqualTo("POST /v1/chat/completions?x=a%2Fb HTTP/1.1");
        assertThat(seen.target()).isEqualTo("/v1/chat/completions?x=a%2Fb");
        assertThat(seen.headers()).containsExactly("X-Dup: 1", "x-dup:  2", "Content-Length: 5");
        assertThat(seen.values("x-DUP")).containsExactly("1", "2");
        assertThat(seen.has("te")).isFalse();
        assertThat(seen.bodyText()).isEqualTo("hello");
        assertThat(seen.sha256()).isEqualTo("2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
        assertThat(seen.connection()).isEqualTo(1);
    }

    @Test
    void a_chunked_body_is_recorded_without_its_framing() throws Exception {
        String request = POST + "Transfer-Encoding: chunked\r\n\r\n3;foo=bar\r\nhel\r\n2\r\nlo\r\n0\r\nX-T: 1\r\n\r\n";

        RawClient.exchange(replica.port(), request.getBytes(), SOON);

        assertThat(replica.log().last().bodyText()).isEqualTo("hello");
    }

    @Test
    void bytes_and_chunks_go_out_as_the_plan_says() throws Exception {
        replica.plan(Plan.stream().event("水").waits(30).chunk("x").end());

        Received received = RawClient.exchange(replica.port(), HELLO.getBytes(), SOON);

        assertThat(received.text()).startsWith(Plan.STREAM_HEAD + "b\r\ndata: ").endsWith("\r\n1\r\nx\r\n0\r\n\r\n");
        assertThat(received.bodyText()).isEqualTo("data: 水\n\nx");
        assertThat(received.answer().complete()).isTrue();
        assertThat(received.arrivedNanos("\r\n1\r\nx") - received.arrivedNanos("data:"))
                .isGreaterThan(20_000_000);
    }

    @Test
    void a_connection_ends_as_the_plan_says() throws Exception {
        replica.script(Script.inTurn(
                Plan.stream().event("a").waits(50).reset(),
                Plan.stream().event("a").fin()));

        try (RawClient client = RawClient.connect(replica.port()).send(HELLO)) {
            Received reset = client.awaitEnd(SOON);
            assertThat(reset.ending()).isEqualTo(Ending.RST);
            assertThat(reset.bodyText()).isEqualTo("data: a\n\n");
            assertThat(reset.answer().complete()).isFalse();
        }
        try (RawClient client = RawClient.connect(replica.port()).send(HELLO)) {
            assertThat(client.awaitEnd(SOON).ending()).isEqualTo(Ending.FIN);
        }
    }

    @Test
    void each_connection_can_have_its_own_turns() throws Exception {
        replica.script(Script.perConnection(Plan.json(200, "first"), Plan.json(503, "second")));

        for (int i = 1; i <= 2; i++) {
            try (RawClient client = RawClient.connect(replica.port())) {
                client.send(HELLO).awaitAnswers(1, SOON);
                Received both = client.send(HELLO).awaitAnswers(2, SOON);
                assertThat(both.statuses()).containsExactly(200, 503);
            }
        }
        assertThat(replica.log().count()).isEqualTo(4);
        assertThat(replica.connections()).isEqualTo(2);
    }

    @Test
    void a_peer_that_closes_or_resets_is_noticed_while_the_replica_waits() throws Exception {
        replica.plan(Plan.stream().event("a").hold());

        RawClient leaving = RawClient.connect(replica.port()).send(HELLO);
        leaving.awaitText("data: a", SOON);
        assertThat(replica.log().running()).isEqualTo(1);
        leaving.close();
        Await.until("fin noticed", SOON, () -> replica.log().peerClosed() == 1);
        RawClient resetting = RawClient.connect(replica.port()).send(HELLO);
        resetting.awaitText("data: a", SOON);
        resetting.reset();

        Await.until("rst noticed", SOON, () -> replica.log().peerClosed() == 2);
        assertThat(replica.log().peerClosedNanos(2)).isGreaterThan(replica.log().peerClosedNanos(1));
        assertThat(replica.log().peerClosedNanos(3)).isEqualTo(-1);
        assertThat(replica.log().running()).isZero();
        assertThat(replica.log().mostRunning()).isEqualTo(1);
    }

    @Test
    void a_test_says_when_an_answer_goes_on() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        replica.plan(Plan.stream().event("a").until(go).event("b").end());

        try (RawClient client = RawClient.connect(replica.port()).send(HELLO)) {
            assertThat(client.awaitText("data: a", SOON).text()).doesNotContain("data: b");
            go.countDown();
            assertThat(client.awaitAnswers(1, SOON).bodyText()).isEqualTo("data: a\n\ndata: b\n\n");
        }
    }

    @Test
    void a_request_that_never_came_whole_is_none() throws Exception {
        RawClient client = RawClient.connect(replica.port()).send(POST + "Content-Length: 5\r\n\r\nhel");
        client.close();

        Await.until("noticed", SOON, () -> replica.log().cutRequests() == 1);
        assertThat(replica.log().count()).isZero();
    }

    @Test
    void a_dead_replica_refuses_and_comes_back_on_its_port() throws Exception {
        replica.plan(Plan.stream().event("a").hold());
        try (RawClient client = RawClient.connect(replica.port()).send(HELLO)) {
            client.awaitText("data: a", SOON);
            replica.die();
            assertThat(client.awaitEnd(SOON).ending()).isEqualTo(Ending.RST);
        }
        assertThatThrownBy(() -> RawClient.connect(replica.port())).isInstanceOf(ConnectException.class);

        replica.listen();
        replica.plan(Plan.json(200, "{}"));

        assertThat(RawClient.exchange(replica.port(), HELLO.getBytes(), SOON).statuses())
                .containsExactly(200);
        assertThat(replica.log().peerClosed()).isZero();
    }

    @Test
    void what_collectors_ask_is_answered_and_is_no_request() throws Exception {
        String page = metrics();

        assertThat(page).contains("vllm:generation_tokens_total{engine=\"0\",model_name=\"m\"} 1\n");
        assertThat(metrics()).contains("vllm:generation_tokens_total{engine=\"0\",model_name=\"m\"} 2\n");
        assertThat(replica.log().count()).isZero();
    }

    @Test
    void interim_answers_are_told_apart() throws Exception {
        replica.plan(Plan.start().send("HTTP/1.1 100 Continue\r\n\r\n").then(Plan.answer(200, "a/b", "x", "Y: z")));

        Received received = RawClient.exchange(replica.port(), HELLO.getBytes(), SOON);

        assertThat(received.statuses()).containsExactly(100, 200);
        Response answer = received.answer();
        assertThat(answer.headers())
                .containsExactly(
                        new HeaderLine("Content-Type", "a/b"),
                        new HeaderLine("Y", "z"),
                        new HeaderLine("Content-Length", "1"));
    }

    private String metrics() throws Exception {
        byte[] get = "GET /metrics HTTP/1.1\r\n\r\n".getBytes();
        return RawClient.exchange(replica.port(), get, SOON).bodyText();
    }
}
