package dev.penstock.fleetsim;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A replica: works on requests, and has the others wait, first come first served. */
interface Engine {
    int running();

    int queued();

    default int inflight() {
        return running() + queued();
    }

    /** A counter that moves while work is done. */
    long heartbeat();

    /** What its replica is labelled with; empty = nothing. */
    default String hardwareClass() {
        return "";
    }

    /** What it has counted since it began, or null when it counts no tokens. */
    default @Nullable Tokens tokens() {
        return null;
    }

    /** @param prompt computed */
    record Tokens(long prompt, long output) {}

    /** Returns true when the request has to wait for room. */
    boolean admit(SimRequest request);

    /** What a router's death does: its connections close, and its requests end. Returns how many. */
    default int abort(SimRouter router) {
        return giveUp(request -> request.router == router).size();
    }

    /** Works on these no longer; returns them. */
    List<SimRequest> giveUp(Predicate<SimRequest> which);

    /** False when it refuses connections: then nothing can be admitted. */
    default boolean connectable() {
        return true;
    }

    /** False when it can't be asked for its telemetry. */
    default boolean scrapable() {
        return true;
    }
}
