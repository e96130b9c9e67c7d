package dev.penstock.fleetsim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** So many requests at a time, each as if alone. */
final class SlotEngine implements Engine {
    private final EventQueue events;
    private final int slots;
    private final ColdStart cold;
    private final Consumer<SimRequest> completed;
    private final List<SimRequest> running = new ArrayList<>();
    private final ArrayDeque<SimRequest> queue = new ArrayDeque<>();
    private long leftNanos;

    SlotEngine(EventQueue events, int slots, ColdStart cold, Consumer<SimRequest> completed) {
        this.events = events;
        this.slots = slots;
        this.cold = cold;
        this.completed = completed;
    }

    @Override
    public int running() {
        return running.size();
    }

    @Override
    public int queued() {
        return queue.size();
    }

    @Override
    public long heartbeat() {
        return running.isEmpty() ? leftNanos : events.nowNanos();
    }

    @Override
    public boolean admit(SimRequest request) {
        if (running.size() < slots) {
            start(request);
            return false;
        }
        queue.add(request);
        return true;
    }

    @Override
    public List<SimRequest> giveUp(Predicate<SimRequest> which) {
        List<SimRequest> given = new ArrayList<>();
        queue.removeIf(request -> request.givenUpTo(given, which));
        running.removeIf(request -> request.givenUpTo(given, which));
        leftNanos = events.nowNanos();
        fill();
        return given;
    }

    private void start(SimRequest request) {
        running.add(request);
        request.startedNanos = events.nowNanos();
        request.firstTokenNanos = events.nowNanos();
        events.at(cold.doneNanos(events.nowNanos(), request.demand.serviceNanos()), () -> end(request));
    }

    private void end(SimRequest request) {
        if (request.aborted) return;
        running.remove(request);
        leftNanos = events.nowNanos();
        fill();
        completed.accept(request);
    }

    private void fill() {
        while (running.size() < slots && !queue.isEmpty()) start(queue.remove());
    }
}
