package dev.penstock.testkit.raw;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** What a {@link ScriptedReplica} does with one request, in order. Immutable; each method gives a longer copy. */
public record Plan(List<Step> steps) {
    public static final String STREAM_HEAD =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";

    public Plan {
        steps = List.copyOf(steps);
    }

    /** Does nothing: the next steps say what. */
    public static Plan start() {
        return new Plan(List.of());
    }

    /** The head of a chunked event stream. */
    public static Plan stream() {
        return start().send(STREAM_HEAD);
    }

    /** A whole JSON answer with an exact length. */
    public static Plan json(int status, String body) {
        return answer(status, "application/json", body);
    }

    /** A whole answer with an exact length and these further header lines. */
    public static Plan answer(int status, String contentType, String body, String... headerLines) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " X\r\nContent-Type: " + contentType + "\r\n");
        for (String line : headerLines) head.append(line).append("\r\n");
        return start().send(head + "Content-Length: " + bytes.length + "\r\n\r\n")
                .send(bytes);
    }

    /** Text as ISO-8859-1. */
    public Plan send(String text) {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    public Plan send(byte[] bytes) {
        return then(new Step.Send(bytes));
    }

    /** Text as UTF-8. */
    public Plan chunk(String text) {
        return chunk(text.getBytes(StandardCharsets.UTF_8));
    }

    public Plan chunk(byte[] bytes) {
        return then(new Step.Chunk(bytes));
    }

    /** One server-sent event as one chunk. */
    public Plan event(String data) {
        return chunk("data: " + data + "\n\n");
    }

    /** Several of them as one chunk, which one read of a peer gets whole. */
    public Plan events(String... data) {
        StringBuilder events = new StringBuilder();
        for (String each : data) events.append("data: ").append(each).append("\n\n");
        return chunk(events.toString());
    }

    /** The last chunk. */
    public Plan end() {
        return send("0\r\n\r\n");
    }

    public Plan waits(int millis) {
        return then(new Step.Wait(Duration.ofMillis(millis)));
    }

    public Plan until(CountDownLatch latch) {
        return then(new Step.Until(latch));
    }

    public Plan hold() {
        return then(new Step.Hold());
    }

    public Plan fin() {
        return then(new Step.Fin());
    }

    public Plan reset() {
        return then(new Step.Reset());
    }

    public Plan times(int count, Step step) {
        Plan longer = this;
        for (int i = 0; i < count; i++) longer = longer.then(step);
        return longer;
    }

    public Plan then(Step step) {
        List<Step> longer = new ArrayList<>(steps);
        longer.add(step);
        return new Plan(longer);
    }

    public Plan then(Plan next) {
        List<Step> longer = new ArrayList<>(steps);
        longer.addAll(next.steps);
        return new Plan(longer);
    }
}
