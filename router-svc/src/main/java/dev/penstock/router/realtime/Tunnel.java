package dev.penstock.router.realtime;

import dev.penstock.model.Outcome;
import dev.penstock.router.relay.Placement;
import dev.penstock.router.relay.Placements;
import dev.penstock.router.relay.Watch;
import dev.penstock.router.relay.Wire;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.NetSocket;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A session that runs: two connections, and frames between them. It ends once, whatever ended it; the engine's place is given
 * back when its connection is gone.
 */
final class Tunnel extends Watch.Member {
    static final long IDLE_NANOS = 600_000_000_000L;
    /** A close is answered, and then its connection closed, within this time or not at all. */
    private static final long CLOSING_NANOS = 10_000_000_000L;

    private static final long NOT_CLOSING = Long.MIN_VALUE;

    private final NetSocket client;
    private final HttpConnection clientConnection;
    private final NetSocket engine;
    private final HttpConnection engineConnection;
    private final Way toEngine;
    private final Way toClient;
    private final Placements placements;
    private final Placement placement;
    private final Watch watch;
    private final Consumer<Runnable> soon;
    private final LongSupplier nanoClock;
    private long lastByteNanos;
    private long closingSinceNanos = NOT_CLOSING;
    private boolean ended;
    private boolean clientGone;
    private boolean engineGone;

    Tunnel(
            NetSocket client,
            HttpConnection clientConnection,
            NetSocket engine,
            HttpConnection engineConnection,
            Placements placements,
            Placement placement,
            Watch watch,
            Consumer<Runnable> soon,
            LongSupplier nanoClock) {
        this.client = client;
        this.clientConnection = clientConnection;
        this.engine = engine;
        this.engineConnection = engineConnection;
        this.placements = placements;
        this.placement = placement;
        this.watch = watch;
        this.soon = soon;
        this.nanoClock = nanoClock;
        this.lastByteNanos = nanoClock.getAsLong();
        this.toEngine = new Way(client, engine);
        this.toClient = new Way(engine, client);
    }

    void start() {
        watch.join(this);
        client.exceptionHandler(failure -> {});
        engine.exceptionHandler(failure -> {});
        client.closeHandler(closed -> clientClosed());
        engineConnection.closeHandler(closed -> engineClosed());
        client.handler(chunk -> {
            take(toEngine, chunk);
            if (toEngine.scan().tooBig()) end(Outcome.CLIENT_ERROR, CloseCode.TOO_BIG);
        });
        engine.handler(chunk -> {
            take(toClient, chunk);
            if (toClient.scan().tooBig()) end(Outcome.REPLICA_ERROR, CloseCode.TOO_BIG);
        });
        client.resume();
        engine.resume();
        if (watch.stopped()) stopping();
    }

    private void take(Way way, Buffer chunk) {
        lastByteNanos = nanoClock.getAsLong();
        way.take(chunk);
        if (way.scan().closed() && closingSinceNanos == NOT_CLOSING) closingSinceNanos = lastByteNanos;
        if (ended) closeWhatIsDone();
    }

    /** What it sent before is still to be read, and goes to the engine. */
    private void clientClosed() {
        if (clientGone) return;
        clientGone = true;
        toEngine.drain();
        // What waited is read in the loop's next turn, before this.
        soon.accept(() -> {
            settle(said() ? outcomeOfClose() : Outcome.CLIENT_ABORT);
            closing();
            toEngine.close(CloseCode.GOING_AWAY.toEngine());
            if (!engineGone) engine.close();
            leaveIfOver();
        });
    }

    private void engineClosed() {
        if (engineGone) return;
        engineGone = true;
        placement.left();
        toClient.drain();
        soon.accept(() -> {
            settle(said() ? outcomeOfClose() : Outcome.REPLICA_ERROR);
            if (!toClient.scan().closed()) toClient.close(CloseCode.INTERNAL.toClient());
            closing();
            toEngine.stop();
            closeWhatIsDone();
            leaveIfOver();
        });
    }

    /** Whether somebody said that this is the end. */
    private boolean said() {
        return toEngine.scan().closed() || toClient.scan().closed();
    }

    private Outcome outcomeOfClose() {
        boolean failed = toClient.scan().closed() && toClient.scan().closeCode() == CloseCode.INTERNAL.code();
        return failed ? Outcome.REPLICA_ERROR : Outcome.OK;
    }

    /** Ends the session from our side, towards both. */
    private void end(Outcome outcome, CloseCode code) {
        if (ended) return;
        settle(outcome);
        closing();
        toClient.close(code.toClient());
        toEngine.close(code.toEngine());
    }

    private void closing() {
        if (closingSinceNanos == NOT_CLOSING) closingSinceNanos = nanoClock.getAsLong();
    }

    /** A peer that answered our close has read it: closing before would take it away from it. */
    private void closeWhatIsDone() {
        if (!clientGone && toEngine.scan().closed()) client.close();
        if (!engineGone && toClient.scan().closed()) engine.close();
    }

    private void settle(Outcome outcome) {
        if (ended) return;
        ended = true;
        placement.ended(outcome);
        placements.ended(outcome);
    }

    private void leaveIfOver() {
        if (clientGone && engineGone) watch.leave(this);
    }

    @Override
    protected HttpConnection connection() {
        return clientConnection;
    }

    @Override
    protected void look(long nowNanos) {
        if (closingSinceNanos != NOT_CLOSING) {
            if (nowNanos - closingSinceNanos > (readsOn() ? IDLE_NANOS : CLOSING_NANOS)) giveUp();
        } else if (nowNanos - lastByteNanos > IDLE_NANOS) {
            end(Outcome.OK, CloseCode.GOING_AWAY);
        }
    }

    /** A slow client still has something to read before it can answer a close. */
    private boolean readsOn() {
        return !clientGone && client.writeQueueFull();
    }

    private void giveUp() {
        settle(said() ? outcomeOfClose() : Outcome.CLIENT_ABORT);
        if (!clientGone) Wire.cut(client);
        if (!engineGone) Wire.cut(engineConnection);
    }

    @Override
    protected void stopping() {
        end(Outcome.CLIENT_ABORT, CloseCode.GOING_AWAY);
    }
}
