package dev.penstock.router.body;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestBodyTest {
    private static final String UNTOUCHED = """
        { "model":"alias-m", "seed":9007199254740993, "temperature":0.10, "big":123456789012345678901234567890,\
         "exp":1E-7, "top_p":1.0, "s":"\\u4f60\\/ \\ud83d\\udeb0", "vllm_xargs":{"k":[1,2.50]},\
         "chat_template_kwargs":{"enable_thinking":false}, "tools":[], "x":null,\
         "messages":[{"role":"user","content":"<b>&'"}] }\
        """;

    @Test
    void what_is_not_replaced_stays_to_the_byte() {
        Peek.Peeked peeked = (Peek.Peeked) Peeks.of(UNTOUCHED);
        RequestBody body = body(UNTOUCHED);
        List<Splice> splices = List.of(
                new Splice(peeked.objectStart(), peeked.objectStart(), "\"rid\":\"a\",".getBytes(UTF_8)),
                new Splice(peeked.modelStart(), peeked.modelEnd(), "\"org/m-7b\"".getBytes(UTF_8)));
        String expected =
                UNTOUCHED.replace("\"alias-m\"", "\"org/m-7b\"").replace("{ \"model", "{\"rid\":\"a\", \"model");

        assertThat(body.single(splices)).hasToString(expected);
        assertThat(body.lengthWith(splices)).isEqualTo(expected.length());
        assertThat(body.single(List.of())).hasToString(UNTOUCHED);
        SlowStream out = new SlowStream(100);
        assertThat(body.writeTo(out, splices).succeeded()).isTrue();
        assertThat(out.written()).isEqualTo(expected);
        assertThat(out.written())
                .contains("9007199254740993", "0.10", "123456789012345678901234567890", "1E-7", "2.50", "\\/");
    }

    @Test
    void an_alias_is_replaced_in_place_and_nothing_else_is_touched() {
        String json = "{ \"x\": \"水\", \"model\" :  \"fast\" , \"messages\":[{\"model\":\"fast\"}]}";
        Peek.Peeked peeked = (Peek.Peeked) Peeks.of(json);

        Buffer spliced = body(json)
                .single(List.of(
                        new Splice(peeked.modelStart(), peeked.modelEnd(), "\"org/\\\"m\\\"\"".getBytes(UTF_8))));

        assertThat(spliced)
                .hasToString("{ \"x\": \"水\", \"model\" :  \"org/\\\"m\\\"\" , \"messages\":[{\"model\":\"fast\"}]}");
    }

    @Test
    void one_chunk_is_sent_as_it_came() {
        RequestBody body = new RequestBody();
        Buffer chunk = Buffer.buffer(new byte[200_000]);
        body.add(chunk);

        assertThat(body.single(List.of())).isSameAs(chunk);
        assertThat(body.single(List.of(new Splice(0, 1, new byte[0])))).isNull();
    }

    @Test
    void a_small_body_is_joined_and_a_large_one_is_not() {
        RequestBody body = body("{\"a\"", ":1}");
        assertThat(body.single(List.of())).hasToString("{\"a\":1}");
        assertThat(new RequestBody().single(List.of())).hasToString("");

        body.add(Buffer.buffer(new byte[64 * 1024]));

        assertThat(body.single(List.of())).isNull();
        assertThat(body.length()).isEqualTo(7 + 64 * 1024);
    }

    @Test
    void no_more_is_written_than_the_stream_takes() {
        RequestBody body = body("ab", "cd", "ef", "gh");
        SlowStream out = new SlowStream(2);

        Future<Void> done = body.writeTo(out, List.of(new Splice(3, 5, "XY".getBytes(UTF_8))));

        assertThat(out.written()).isEqualTo("abc");
        assertThat(done.isComplete()).isFalse();
        out.drain();
        assertThat(out.written()).isEqualTo("abcXYf");
        out.drain();
        assertThat(out.written()).isEqualTo("abcXYfgh");
        assertThat(done.succeeded()).isTrue();
        assertThat(out.ended()).isFalse();
    }

    @Test
    void a_body_is_written_twice() {
        RequestBody body = body("{\"model\":", "\"fast\"}");
        List<Splice> splices = List.of(new Splice(9, 15, "\"m\"".getBytes(UTF_8)));
        SlowStream first = new SlowStream(1);
        BodyWrite abandoned = body.write(first, splices);
        abandoned.stop();
        SlowStream second = new SlowStream(9);

        assertThat(body.writeTo(second, splices).succeeded()).isTrue();

        first.drain();
        assertThat(first.written()).isEqualTo("{\"model\":");
        assertThat(abandoned.done().isComplete()).isFalse();
        assertThat(second.written()).isEqualTo("{\"model\":\"m\"}");
    }

    @Test
    void a_stream_that_fails_is_left_alone() {
        RequestBody body = body("ab", "cd", "ef");
        SlowStream out = new SlowStream(1);
        Future<Void> done = body.writeTo(out, List.of());

        out.fail(new IllegalStateException("reset"));
        out.drain();

        assertThat(done.failed()).isTrue();
        assertThat(done.cause()).hasMessage("reset");
        assertThat(out.written()).isEqualTo("ab");
    }

    @Test
    void a_stream_that_throws_has_failed() {
        SlowStream out = new SlowStream(1);
        out.refuse(new IllegalStateException("ended"));

        assertThat(body("ab").writeTo(out, List.of()).cause()).hasMessage("ended");
    }

    @Test
    void a_stream_that_drains_while_it_is_written_to_gets_each_byte_once() {
        RequestBody body = body("ab", "cd", "ef", "gh");
        SlowStream out = new SlowStream(1);
        out.drainAtOnce();

        assertThat(body.writeTo(out, List.of()).succeeded()).isTrue();

        assertThat(out.written()).isEqualTo("abcdefgh");
    }

    @Test
    void a_body_that_is_let_go_of_stops() {
        RequestBody body = body("ab", "cd");
        SlowStream out = new SlowStream(1);
        Future<Void> done = body.writeTo(out, List.of());

        body.clear();
        out.drain();

        assertThat(out.written()).isEqualTo("ab");
        assertThat(done.succeeded()).isFalse();
        assertThat(body.length()).isZero();
    }

    @Test
    void splices_are_in_order_and_in_the_body() {
        RequestBody body = body("abcdef");

        assertThatThrownBy(() -> body.lengthWith(List.of(splice(3, 4), splice(1, 2))))
                .hasMessage("splice: bytes 1 to 2, expected them in order and within 4 to 6");
        assertThatThrownBy(() -> body.writeTo(new SlowStream(1), List.of(splice(3, 5), splice(4, 6))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> body.single(List.of(splice(5, 7)))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> splice(2, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    private static Splice splice(long from, long to) {
        return new Splice(from, to, new byte[0]);
    }

    private static RequestBody body(String... chunks) {
        RequestBody body = new RequestBody();
        for (String chunk : chunks) body.add(Buffer.buffer(chunk));
        return body;
    }
}
