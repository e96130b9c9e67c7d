package dev.penstock.router.realtime;

import dev.penstock.model.Outcome;
import dev.penstock.router.api.ApiError;
import dev.penstock.router.api.EngineError;
import dev.penstock.router.api.Envelope;
import dev.penstock.router.relay.Placement;
import dev.penstock.router.relay.Placements;
import dev.penstock.router.relay.RelayHeaders;
import dev.penstock.router.relay.Upstreams;
import dev.penstock.router.relay.Watch;
import dev.penstock.router.stream.Notes;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.NetSocket;
import org.jspecify.annotations.Nullable;

/**
 * A session on its way to an engine: its client is switched over when an engine has agreed to, and has a plain answer before.
 * Until then nothing was generated, so whatever fails is tried elsewhere, within the model's budget of retries.
 */
final class Handshake extends Watch.Member {
    private static final int SWITCHING = 101;
    private static final int LEAST_ERROR = 400;
    /** Engines agree at once; what is silent for so long is not one that will. */
    private static final long PATIENCE_NANOS = 5_000_000_000L;
    /** An engine's error is no longer than that. */
    private static final int MOST_GATHERED = 64 << 10;

    private final Upstreams upstreams;
    private final HttpServerRequest client;
    private final String id;
    private final String uri;
    private final Placements placements;
    private final ApiError unreachable;
    private @Nullable HttpClientRequest asked;
    private long askedNanos;
    private boolean late;
    private boolean over;

    Handshake(
            Upstreams upstreams, HttpServerRequest client, String id, String uri, Placements placements, String model) {
        this.upstreams = upstreams;
        this.client = client;
        this.id = id;
        this.uri = uri;
        this.placements = placements;
        this.unreachable = ApiError.unreachable(model);
    }

    void start() {
        client.response().exceptionHandler(gone -> clientLeft());
        client.response().closeHandler(gone -> clientLeft());
        upstreams.watch().join(this);
        ApiError shed = placements.arrive();
        if (shed != null) {
            refuse(Outcome.BACKPRESSURE, shed);
            return;
        }
        if (upstreams.watch().stopped()) {
            stopping();
            return;
        }
        Placement first = placements.next();
        if (first == null) refuse(placements.refusedAs(), placements.refusal());
        else ask(first);
    }

    private void ask(Placement placement) {
        asked = null;
        placement.upgrade(uri).onComplete(out -> connected(placement, out), cause -> {
            placement.connectFailed(cause);
            elsewhere(true, Outcome.REPLICA_ERROR, unreachable);
        });
    }

    /** Asks the next one, or tells the client what became of the last one. */
    private void elsewhere(boolean connectFailed, Outcome outcome, ApiError error) {
        if (over) return;
        Placement next = placements.elsewhere(connectFailed);
        if (next == null) refuse(outcome, error);
        else ask(next);
    }

    private void connected(Placement placement, HttpClientRequest out) {
        if (over) {
            out.exceptionHandler(reset -> {});
            out.reset();
            placement.gone(Outcome.CLIENT_ABORT);
            return;
        }
        UpgradeHeaders.toEngine(client.headers(), out.headers());
        out.headers().set(RelayHeaders.REQUEST_ID, id + "-a" + placement.number());
        asked = out;
        askedNanos = upstreams.nanoClock().getAsLong();
        late = false;
        out.exceptionHandler(told -> {});
        out.connect().onComplete(response -> answered(placement, out, response), cause -> broken(placement));
    }

    private void broken(Placement placement) {
        if (over) {
            placement.gone(Outcome.CLIENT_ABORT);
            return;
        }
        Outcome outcome = late ? Outcome.STALLED : Outcome.REPLICA_ERROR;
        placement.gone(outcome);
        elsewhere(false, outcome, late ? ApiError.upstreamTimeout() : ApiError.upstreamFailed());
    }

    private void answered(Placement placement, HttpClientRequest out, HttpClientResponse response) {
        if (over) {
            asked = null;
            out.connection().close();
            placement.gone(Outcome.CLIENT_ABORT);
        } else if (response.statusCode() == SWITCHING) {
            asked = null;
            switchOver(placement, out, response);
        } else gather(placement, out, response);
    }

    private void switchOver(Placement placement, HttpClientRequest out, HttpClientResponse response) {
        NetSocket engine = response.netSocket().pause();
        leave();
        UpgradeHeaders.toClient(
                response.headers(), client.response().headers(), placement.replicaName(), placements.decision());
        placement.agreed();
        client.toNetSocket()
                .onComplete(
                        socket -> new Tunnel(
                                        socket,
                                        client.connection(),
                                        engine,
                                        out.connection(),
                                        placements,
                                        placement,
                                        upstreams.watch(),
                                        upstreams::soon,
                                        upstreams.nanoClock())
                                .start(),
                        gone -> {
                            out.connection().close();
                            placement.gone(Outcome.CLIENT_ABORT);
                            placements.ended(Outcome.CLIENT_ABORT);
                        });
    }

    private void gather(Placement placement, HttpClientRequest out, HttpClientResponse response) {
        Buffer body = Buffer.buffer();
        response.handler(chunk -> {
            if (body.length() <= MOST_GATHERED) body.appendBuffer(chunk);
            else out.connection().close();
        });
        response.exceptionHandler(cut -> refused(placement, response, body));
        response.endHandler(end -> refused(placement, response, body));
    }

    private void refused(Placement placement, HttpClientResponse response, Buffer body) {
        if (placement.isOver()) return;
        asked = null;
        int status = response.statusCode();
        Outcome outcome = status < LEAST_ERROR ? Outcome.REPLICA_ERROR : Notes.ofCode(status);
        placement.gone(outcome);
        // The next session would find it closed by an engine that tired of waiting.
        response.request().connection().close();
        if (over) return;
        if (Notes.backPressure(status)) {
            Placement next = placements.elsewhere(false);
            if (next != null) {
                ask(next);
                return;
            }
        }
        if (status < LEAST_ERROR) refuse(outcome, ApiError.upstreamFailed());
        else relay(placement, outcome, status, body);
    }

    private void relay(Placement placement, Outcome outcome, int status, Buffer body) {
        leave();
        placements.ended(outcome);
        Buffer wrapped = EngineError.normalised(status, body, Envelope.OPENAI);
        HttpServerResponse response = client.response();
        response.headers().set(RelayHeaders.REPLICA, placement.replicaName());
        response.headers().set(RelayHeaders.DECISION, placements.decision());
        if (Notes.backPressure(status)) response.headers().set("retry-after", "1");
        response.setStatusCode(status)
                .putHeader("content-type", "application/json")
                .end(wrapped == null ? body : wrapped);
    }

    private void refuse(Outcome outcome, ApiError error) {
        leave();
        placements.ended(outcome);
        error.send(client, Envelope.OPENAI);
    }

    private void clientLeft() {
        if (over) return;
        leave();
        placements.ended(Outcome.CLIENT_ABORT);
        if (asked != null) asked.connection().close();
    }

    private void leave() {
        over = true;
        upstreams.watch().leave(this);
    }

    @Override
    protected HttpConnection connection() {
        return client.connection();
    }

    @Override
    protected void look(long nowNanos) {
        HttpClientRequest out = asked;
        if (out == null || late || nowNanos - askedNanos < PATIENCE_NANOS) return;
        late = true;
        out.connection().close();
    }

    @Override
    protected void stopping() {
        if (over) return;
        refuse(Outcome.CLIENT_ABORT, ApiError.shuttingDown());
        if (asked != null) asked.connection().close();
    }
}
