package dev.penstock.router.relay;

import dev.penstock.core.view.ReplicaCell;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.model.Outcome;
import dev.penstock.router.account.DemandLedger;
import dev.penstock.router.ingress.ApiError;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerResponse;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at one replica: its in-flight count is taken here and given back exactly once, on whatever ending
 * ({@link #settle}). Bytes are relayed as they come; a slow client pauses the engine's connection.
 */
final class Attempt {
    private final Exchange exchange;
    private final Upstreams upstreams;
    private final ReplicaEntry replica;
    private final ReplicaCell cell;
    private final StreamTail tail = new StreamTail();
    private @Nullable HttpClientRequest request;
    private boolean reused;
    private boolean answered;
    private boolean settled;
    private boolean opened;
    private boolean eventStream;
    private int status;
    private long firstByteNanos;
    private long events;

    Attempt(Exchange exchange, Upstreams upstreams, ReplicaEntry replica) {
        this.exchange = exchange;
        this.upstreams = upstreams;
        this.replica = replica;
        this.cell = replica.cell();
        cell.acquire();
    }

    void connectFailed() {
        if (!settled) {
            settled = true;
            cell.release();
            upstreams.outcomes.connectFailed(replica, upstreams.nanoClock.getAsLong());
        }
        exchange.tryElsewhere();
    }

    /** The client left while the connection was being made. */
    void neverSent() {
        settle(Outcome.CLIENT_ABORT);
        exchange.ended(DemandLedger.Ending.CANCELLED);
    }

    void send(HttpClientRequest out, Buffer body) {
        request = out;
        reused = upstreams.isReused(out.connection());
        out.exceptionHandler(failure -> {
            if (answered) brokenOff();
        });
        if (exchange.streams()) {
            opened = true;
            cell.streams().opened(exchange.promptTokens(), upstreams.nanoClock.getAsLong());
        }
        out.send(body).onComplete(this::answered, failure -> failedBeforeAnswer());
    }

    private void failedBeforeAnswer() {
        if (settled || answered) return;
        if (exchange.clientGone()) {
            settle(Outcome.CLIENT_ABORT);
        } else if (reused && exchange.mayRetryReset()) {
            // Says nothing of the replica's health: engines close idle connections.
            settled = true;
            cell.release();
            closeStream();
            cell.endedNeutrally();
            exchange.tryElsewhere();
        } else {
            settle(Outcome.REPLICA_ERROR);
            exchange.ended(DemandLedger.Ending.FAILED);
            ApiError.upstreamFailed().send(exchange.client().response());
        }
    }

    private void answered(HttpClientResponse response) {
        answered = true;
        cell.streams().heardFrom(upstreams.nanoClock.getAsLong());
        status = response.statusCode();
        if (settled || exchange.clientGone()) {
            cancel();
            return;
        }
        HttpServerResponse client = exchange.client().response();
        client.setStatusCode(status);
        ForwardedHeaders.toClient(response.headers(), client.headers());
        client.putHeader("x-penstock-replica", replica.replica().name());
        client.putHeader("x-penstock-decision", exchange.decision());
        String type = response.getHeader("content-type");
        eventStream = type != null && type.startsWith("text/event-stream");
        if (eventStream) client.putHeader("cache-control", "no-cache").putHeader("x-accel-buffering", "no");
        if (!client.headers().contains("content-length")) client.setChunked(true);
        response.handler(chunk -> relay(response, client, chunk));
        response.exceptionHandler(failure -> brokenOff());
        response.endHandler(end -> complete(client));
    }

    private void relay(HttpClientResponse response, HttpServerResponse client, Buffer chunk) {
        long now = upstreams.nanoClock.getAsLong();
        cell.streams().heardFrom(now);
        if (firstByteNanos == 0) {
            firstByteNanos = now;
            if (opened) cell.streams().promptDone(exchange.promptTokens());
        }
        if (eventStream) {
            tail.append(chunk);
            events++;
        }
        client.write(chunk);
        if (client.writeQueueFull()) {
            response.pause();
            client.drainHandler(drained -> response.resume());
        }
    }

    private void complete(HttpServerResponse client) {
        if (settled) return;
        Outcome outcome = Exchange.outcomeOf(status);
        if (outcome == Outcome.OK && eventStream && !tail.sawDone()) outcome = Outcome.INCOMPLETE_STREAM;
        settle(outcome);
        exchange.ended(Exchange.endingOf(outcome));
        client.end();
    }

    /** The engine's connection broke after its head was relayed: the client must be able to tell. */
    private void brokenOff() {
        if (settled) return;
        if (exchange.clientGone()) {
            settle(Outcome.CLIENT_ABORT);
            return;
        }
        settle(Outcome.REPLICA_ERROR);
        exchange.ended(DemandLedger.Ending.FAILED);
        HttpServerResponse client = exchange.client().response();
        if (eventStream && !client.closed()) {
            if (tail.insideLine()) client.write("\n\n");
            client.write(ApiError.streamFailedEvent())
                    .onComplete(sent -> exchange.client().connection().close());
        } else {
            exchange.client().connection().close();
        }
    }

    /** The client left: closing the engine's connection is the only signal that HTTP/1.1 has. */
    void cancel() {
        if (request != null) {
            settle(Outcome.CLIENT_ABORT);
            request.reset();
        }
    }

    private void settle(Outcome outcome) {
        if (settled) return;
        settled = true;
        cell.release();
        closeStream();
        long now = upstreams.nanoClock.getAsLong();
        long ttft = eventStream && firstByteNanos != 0 ? firstByteNanos - exchange.startedNanos() : -1;
        upstreams.outcomes.ended(replica, outcome, now, ttft, now - exchange.startedNanos(), events);
    }

    private void closeStream() {
        if (!opened) return;
        if (firstByteNanos == 0) cell.streams().promptDone(exchange.promptTokens());
        cell.streams().closed();
    }
}
