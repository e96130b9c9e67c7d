package dev.penstock.cli.load;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One request, from its scheduled time to one verdict. Event-loop only. */
final class Exchange {
    private static final byte[] CHOICES = "\"choices\"".getBytes(StandardCharsets.US_ASCII);
    private static final int OK = 200;
    private static final long NEVER = -1;

    private final Vertx vertx;
    private final HttpClient client;
    private final Lane lane;
    private final long scheduledNanos;
    private final boolean stream;
    private final Buffer body;
    private final Consumer<Boolean> onSettled;
    private final StreamScanner scanner = new StreamScanner(this::contentArrived);
    private final Buffer plainAnswer = Buffer.buffer();
    private @Nullable HttpClientRequest request;
    private long timer;
    private int status;
    private long ttftNanos = NEVER;
    private long lastContentNanos;
    private boolean ended;
    private boolean settled;

    Exchange(
            Vertx vertx,
            HttpClient client,
            Lane lane,
            long scheduledNanos,
            boolean stream,
            Buffer body,
            Consumer<Boolean> onSettled) {
        this.vertx = vertx;
        this.client = client;
        this.lane = lane;
        this.scheduledNanos = scheduledNanos;
        this.stream = stream;
        this.body = body;
        this.onSettled = onSettled;
    }

    void start(long timeoutNanos) {
        long left = timeoutNanos - (System.nanoTime() - scheduledNanos);
        timer = vertx.setTimer(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)), id -> fail("timeout"));
        connect(lane.nextTurn(), lane.targetCount());
    }

    private void connect(int turn, int triesLeft) {
        client.request(lane.target(turn)).onComplete(this::send, failure -> {
            if (settled) return;
            if (!isConnectFailure(failure)) fail("reset");
            else if (triesLeft > 1) connect(turn + 1, triesLeft - 1);
            else fail("connect");
        });
    }

    private static boolean isConnectFailure(Throwable failure) {
        return failure instanceof ConnectException || failure instanceof UnknownHostException;
    }

    private void send(HttpClientRequest opened) {
        if (settled) {
            opened.reset();
            return;
        }
        request = opened;
        opened.putHeader("content-type", "application/json");
        opened.send(body).onComplete(this::receive, failure -> fail("reset"));
    }

    private void receive(HttpClientResponse response) {
        if (settled) return;
        status = response.statusCode();
        lane.answered(status, response.getHeader("x-penstock-replica"));
        response.exceptionHandler(failure -> fail(scanner.sawError() ? "in_stream_error" : "reset"));
        response.endHandler(end -> ended());
        response.handler(this::read);
    }

    private void read(Buffer bytes) {
        if (settled || status != OK) return;
        if (stream) scanner.accept(bytes.getBytes());
        else plainAnswer.appendBuffer(bytes);
    }

    private void contentArrived() {
        long now = System.nanoTime();
        if (ttftNanos == NEVER) ttftNanos = now - scheduledNanos;
        else lane.gap(now - lastContentNanos);
        lastContentNanos = now;
    }

    private void ended() {
        ended = true;
        if (status != OK) fail("status_" + status);
        else if (stream && scanner.sawError()) fail("in_stream_error");
        else if (stream ? !scanner.sawDone() : !hasChoices()) fail("incomplete");
        else succeed();
    }

    private boolean hasChoices() {
        byte[] answer = plainAnswer.getBytes();
        for (int i = 0; i + CHOICES.length <= answer.length; i++) {
            int at = 0;
            while (at < CHOICES.length && answer[i + at] == CHOICES[at]) at++;
            if (at == CHOICES.length) return true;
        }
        return false;
    }

    private void succeed() {
        if (settled) return;
        long now = System.nanoTime();
        lane.succeeded(ttftNanos, now - scheduledNanos, now);
        settle(true);
    }

    private void fail(String kind) {
        if (settled) return;
        lane.failed(kind);
        settle(false);
        HttpClientRequest opened = request;
        if (opened != null && !ended) opened.reset(); // its connection must not serve another request
    }

    private void settle(boolean ok) {
        settled = true;
        vertx.cancelTimer(timer);
        onSettled.accept(ok);
    }
}
