package dev.penstock.fleetsim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Continuous batching as a fluid: every step takes {@link BatchProfile#stepMillis} and the work of all that are in it, in
 * which each decoding sequence gets one token and each prompt as much as fits. A prompt's end is its first token. A
 * request gets into the batch when its whole prompt and output fit in the KV cache. What is there of its prompt already
 * takes no work.
 */
final class BatchEngine implements Engine {
    private static final double ALMOST = 1e-9;

    private final EventQueue events;
    private final BatchProfile profile;
    private final PrefixCache cache;
    private final ColdStart cold;
    private final Consumer<SimRequest> completed;
    private final ArrayDeque<SimRequest> queue = new ArrayDeque<>();
    private final List<SimRequest> entering = new ArrayList<>();
    private final PriorityQueue<Member> prompts = new PriorityQueue<>();
    private final PriorityQueue<Member> outputs = new PriorityQueue<>();
    /** Steps made since the beginning, by prompts (in whole chunks) and by outputs. */
    private double promptSteps;

    private double outputSteps;
    private double promptMillis;
    private double promptTokens;
    private double outputMillis;
    private long kvTokens;
    private long seenNanos;
    private long plan;
    private long members;

    /**
     * A request in the batch.
     *
     * @param doneSteps the count of steps at which it is done
     * @param stepMillis its work in a step
     * @param stepTokens of a prompt, what it takes of a step's tokens
     */
    private record Member(SimRequest request, double doneSteps, double stepMillis, double stepTokens, long order)
            implements Comparable<Member> {
        @Override
        public int compareTo(Member other) {
            int bySteps = Double.compare(doneSteps, other.doneSteps);
            return bySteps != 0 ? bySteps : Long.compare(order, other.order);
        }
    }

    BatchEngine(EventQueue events, BatchProfile profile, ColdStart cold, Consumer<SimRequest> completed) {
        this(events, profile, 0, cold, completed);
    }

    /** @param cacheBlocks of prompts that it keeps; 0 = none */
    BatchEngine(
            EventQueue events, BatchProfile profile, int cacheBlocks, ColdStart cold, Consumer<SimRequest> completed) {
        this.cache = new PrefixCache(cacheBlocks);
        this.events = events;
        this.profile = profile;
        this.cold = cold;
        this.completed = completed;
    }

    @Override
    public int running() {
        return prompts.size() + outputs.size();
    }

    @Override
    public int queued() {
        return entering.size() + queue.size();
    }

    @Override
    public long heartbeat() {
        return running() == 0 ? seenNanos : events.nowNanos();
    }

    @Override
    public int hitTokens(Demand demand) {
        return cache.hitTokens(demand);
    }

    @Override
    public boolean admit(SimRequest request) {
        boolean waits = !queue.isEmpty();
        entering.add(request);
        events.after((long) profile.overheadNanos(request.demand.promptTokens()), () -> enter(request));
        return waits;
    }

    private void enter(SimRequest request) {
        if (request.aborted) return;
        entering.remove(request);
        advance();
        queue.add(request);
        fill();
        replan();
    }

    @Override
    public List<SimRequest> giveUp(Predicate<SimRequest> which) {
        advance();
        List<SimRequest> given = new ArrayList<>();
        entering.removeIf(request -> request.givenUpTo(given, which));
        queue.removeIf(request -> request.givenUpTo(given, which));
        for (PriorityQueue<Member> each : List.of(prompts, outputs)) {
            each.removeIf(member -> {
                if (!member.request.givenUpTo(given, which)) return false;
                kvTokens -= tokens(member.request);
                return true;
            });
        }
        sum();
        fill();
        replan();
        return given;
    }

    private static long tokens(SimRequest request) {
        return (long) request.demand.promptTokens() + request.demand.outputTokens();
    }

    /** A request larger than the cache runs alone. */
    private void fill() {
        while (!queue.isEmpty() && running() < profile.sequences()) {
            long tokens = tokens(queue.peek());
            if (running() > 0 && kvTokens + tokens > profile.kvTokens()) return;
            SimRequest request = queue.remove();
            kvTokens += tokens;
            request.startedNanos = events.nowNanos();
            int prompt = request.demand.promptTokens();
            request.hitTokens = cache.hitTokens(request.demand);
            double steps = profile.promptSteps(prompt - request.hitTokens);
            add(
                    prompts,
                    new Member(
                            request,
                            promptSteps + steps,
                            profile.promptMillis(prompt, request.hitTokens) / steps,
                            (prompt - request.hitTokens) / steps,
                            members++));
        }
    }

    private void add(PriorityQueue<Member> to, Member member) {
        to.add(member);
        sum(to == prompts, member, 1);
    }

    private void sum(boolean prompt, Member member, int sign) {
        if (prompt) {
            promptMillis += sign * member.stepMillis;
            promptTokens += sign * member.stepTokens;
        } else {
            outputMillis += sign * member.stepMillis;
        }
    }

    private void sum() {
        promptMillis = 0;
        promptTokens = 0;
        outputMillis = 0;
        for (Member each : prompts) sum(true, each, 1);
        for (Member each : outputs) sum(false, each, 1);
    }

    /** Share of each prompt's chunk that gets into a step: decoding sequences come first. */
    private double promptShare() {
        double left = Math.max(1, profile.stepTokens() - outputs.size());
        return promptTokens <= left ? 1 : left / promptTokens;
    }

    private double stepNanos() {
        return (profile.stepMillis() + outputMillis + promptShare() * promptMillis) * 1e6;
    }

    private void advance() {
        long now = events.nowNanos();
        if (running() > 0 && now > seenNanos) {
            double steps = cold.workedNanos(seenNanos, now) / stepNanos();
            outputSteps += steps;
            promptSteps += steps * promptShare();
        }
        seenNanos = now;
    }

    /** Asks for the next end of a prompt or an output; what was asked for before is void. */
    private void replan() {
        long current = ++plan;
        double steps = Double.POSITIVE_INFINITY;
        Member prompt = prompts.peek();
        if (prompt != null) steps = (prompt.doneSteps - promptSteps) / promptShare();
        Member output = outputs.peek();
        if (output != null) steps = Math.min(steps, output.doneSteps - outputSteps);
        if (steps == Double.POSITIVE_INFINITY) return;
        long at = cold.doneNanos(events.nowNanos(), Math.max(0, steps) * stepNanos());
        events.at(at, () -> {
            if (current == plan) step();
        });
    }

    private void step() {
        advance();
        while (!prompts.isEmpty() && prompts.peek().doneSteps <= promptSteps + ALMOST) firstToken(prompts.remove());
        ArrayDeque<SimRequest> done = new ArrayDeque<>();
        while (!outputs.isEmpty() && outputs.peek().doneSteps <= outputSteps + ALMOST) {
            Member member = outputs.remove();
            sum(false, member, -1);
            kvTokens -= tokens(member.request);
            done.add(member.request);
        }
        if (running() == 0) sum();
        fill();
        replan();
        done.forEach(completed);
    }

    private void firstToken(Member member) {
        sum(true, member, -1);
        SimRequest request = member.request;
        request.firstTokenNanos = events.nowNanos();
        cache.put(request.demand.blocks());
        Demand demand = request.demand;
        double stepMillis = profile.outputStepMillis(demand.promptTokens(), demand.outputTokens());
        add(outputs, new Member(request, outputSteps + demand.outputTokens() - 1, stepMillis, 1, members++));
    }
}
