package dev.penstock.fleetsim;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Works on all its requests at once, each as fast as the others: with b of them it does C b / (b + h) work units per second.
 * A prompt is worked on first and counted when it is done, output tokens one by one.
 *
 * <p>Time runs in units done for each request: what comes at v and asks for w is done at v + w, however many come and go.
 */
final class SharingEngine implements Engine {
    private final EventQueue events;
    private final EngineModel.Sharing model;
    private final Consumer<SimRequest> completed;
    private final PriorityQueue<Milestone> milestones = new PriorityQueue<>();
    private final Set<SimRequest> running = new HashSet<>();
    private long advancedNanos;
    private double unitsEach;
    private int answering;
    private double promptTokens;
    private double outputTokens;
    private long plans;
    private long arrivals;

    /** At that many units for each, the request has its prompt done, or is done. */
    private record Milestone(double units, long order, SimRequest request, boolean last)
            implements Comparable<Milestone> {
        @Override
        public int compareTo(Milestone other) {
            int byUnits = Double.compare(units, other.units);
            return byUnits != 0 ? byUnits : Long.compare(order, other.order);
        }
    }

    SharingEngine(EventQueue events, EngineModel.Sharing model, Consumer<SimRequest> completed) {
        this.events = events;
        this.model = model;
        this.completed = completed;
        if (model.stepNanos() != EngineModel.Sharing.NEVER) {
            events.at(model.stepNanos(), () -> {
                advance();
                plan();
            });
        }
    }

    /** What it does at most now, in work units per second. */
    double capacity() {
        return model.perSecond(events.nowNanos());
    }

    /** What it does now over that. */
    double utilisation() {
        int b = running.size();
        return b == 0 ? 0 : b / (b + model.half());
    }

    @Override
    public int running() {
        return running.size();
    }

    @Override
    public int queued() {
        return 0;
    }

    @Override
    public long heartbeat() {
        return events.nowNanos();
    }

    @Override
    public String hardwareClass() {
        return model.hardwareClass();
    }

    @Override
    public Tokens tokens() {
        advance();
        return new Tokens((long) promptTokens, (long) outputTokens);
    }

    @Override
    public boolean admit(SimRequest request) {
        advance();
        running.add(request);
        request.startedNanos = events.nowNanos();
        double promptUnits = EngineModel.Sharing.UNITS_PER_PROMPT_TOKEN * request.promptTokens();
        milestones.add(new Milestone(unitsEach + promptUnits, arrivals++, request, false));
        plan();
        return false;
    }

    @Override
    public List<SimRequest> giveUp(Predicate<SimRequest> which) {
        advance();
        List<SimRequest> given = new ArrayList<>();
        running.removeIf(request -> request.givenUpTo(given, which));
        milestones.removeIf(milestone -> {
            if (!milestone.request.aborted) return false;
            if (milestone.last) answering--;
            return true;
        });
        plan();
        return given;
    }

    /** Up to now. */
    private void advance() {
        long now = events.nowNanos();
        if (!running.isEmpty()) {
            double seconds = (now - advancedNanos) / 1e9;
            double more = model.perSecond(advancedNanos) * seconds / (running.size() + model.half());
            unitsEach += more;
            outputTokens += more * answering;
        }
        advancedNanos = now;
    }

    private void plan() {
        long planned = ++plans;
        Milestone next = milestones.peek();
        if (next == null) return;
        double rateEach = model.perSecond(events.nowNanos()) / (running.size() + model.half());
        long delayNanos = (long) Math.ceil(Math.max(0, next.units - unitsEach) / rateEach * 1e9);
        events.after(delayNanos, () -> {
            if (planned == plans) reach();
        });
    }

    private void reach() {
        advance();
        List<SimRequest> done = new ArrayList<>();
        // At least the one that this was planned for, whatever rounding has done to it.
        double reached = Math.max(unitsEach, milestones.element().units);
        while (!milestones.isEmpty() && milestones.peek().units <= reached) {
            Milestone milestone = milestones.remove();
            SimRequest request = milestone.request;
            if (milestone.last) {
                answering--;
                running.remove(request);
                done.add(request);
            } else {
                request.firstTokenNanos = events.nowNanos();
                promptTokens += request.promptTokens();
                answering++;
                milestones.add(
                        new Milestone(milestone.units + request.demand.outputTokens(), arrivals++, request, true));
            }
        }
        plan();
        done.forEach(completed);
    }
}
