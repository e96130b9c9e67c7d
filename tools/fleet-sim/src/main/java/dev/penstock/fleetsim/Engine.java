package dev.penstock.fleetsim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A replica: so many requests at a time, the others wait, first come first served. */
final class Engine {
    private final EventQueue events;
    private final int slots;
    private final Consumer<SimRequest> completed;
    private final List<SimRequest> running = new ArrayList<>();
    private final ArrayDeque<SimRequest> queue = new ArrayDeque<>();
    private long starts;

    Engine(EventQueue events, int slots, Consumer<SimRequest> completed) {
        this.events = events;
        this.slots = slots;
        this.completed = completed;
    }

    int running() {
        return running.size();
    }

    int queued() {
        return queue.size();
    }

    int inflight() {
        return running.size() + queue.size();
    }

    /** A counter that moves while work is done. */
    long heartbeat() {
        return starts;
    }

    /** Returns true when the request has to wait for a slot. */
    boolean admit(SimRequest request) {
        if (running.size() < slots) {
            start(request);
            return false;
        }
        queue.add(request);
        return true;
    }

    /** What a router's death does: its connections close, and its requests end. Returns how many. */
    int abort(SimRouter router) {
        int before = inflight();
        queue.removeIf(request -> request.router == router);
        running.removeIf(request -> {
            if (request.router == router) request.aborted = true;
            return request.aborted;
        });
        int aborted = before - inflight();
        fill();
        return aborted;
    }

    private void start(SimRequest request) {
        running.add(request);
        starts++;
        events.after(request.serviceNanos, () -> end(request));
    }

    private void end(SimRequest request) {
        if (request.aborted) return;
        running.remove(request);
        fill();
        completed.accept(request);
    }

    private void fill() {
        while (running.size() < slots && !queue.isEmpty()) start(queue.remove());
    }
}
