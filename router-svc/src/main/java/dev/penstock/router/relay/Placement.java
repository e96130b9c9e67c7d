package dev.penstock.router.relay;

import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.model.Outcome;
import io.vertx.core.Future;
import io.vertx.core.http.HttpClientRequest;

/** One session's place at one replica, which was taken for it: it is given back once, and its outcome is told once. */
public final class Placement {
    private final Upstreams upstreams;
    private final ReplicaEntry replica;
    private final int number;
    private final long takenNanos;
    private long agreedNanos;
    private boolean told;
    private boolean left;

    Placement(Upstreams upstreams, ReplicaEntry replica, int number, long nowNanos) {
        this.upstreams = upstreams;
        this.replica = replica;
        this.number = number;
        this.takenNanos = nowNanos;
    }

    /** Of the attempt, from 1. */
    public int number() {
        return number;
    }

    public String replicaName() {
        return replica.replica().name();
    }

    /** A request for a switch of protocols, on a connection; fails when none could be made. */
    public Future<HttpClientRequest> upgrade(String uri) {
        return upstreams.upgrade(replica.replica().endpoint(), uri);
    }

    /** The engine never heard of the session. */
    public void connectFailed(Throwable cause) {
        told = true;
        left();
        upstreams.outcomes.connectFailed(replica, cause, upstreams.nanoClock.getAsLong());
    }

    /** The engine took the session. */
    public void agreed() {
        agreedNanos = upstreams.nanoClock.getAsLong();
    }

    /** The session is over. How long it was says nothing of the engine's speed; how soon it agreed does. */
    public void ended(Outcome outcome) {
        if (told) return;
        told = true;
        long now = upstreams.nanoClock.getAsLong();
        long agreed = agreedNanos == 0 ? now : agreedNanos;
        upstreams.outcomes.ended(replica, outcome, now, -1, agreed - takenNanos, 0);
    }

    public boolean isOver() {
        return left;
    }

    /** The engine has nothing to do with it any more. */
    public void left() {
        if (left) return;
        left = true;
        replica.cell().release();
    }

    /** Both at once. */
    public void gone(Outcome outcome) {
        left();
        ended(outcome);
    }
}
