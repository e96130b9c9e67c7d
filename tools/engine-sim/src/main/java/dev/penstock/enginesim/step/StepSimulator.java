package dev.penstock.enginesim.step;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Continuous batching as vLLM's scheduler does it, one step after another:
 *
 * <ol>
 *   <li>running sequences that decode, one token each;
 *   <li>chunks of prompts already running, as far as {@code max_num_batched_tokens} reaches;
 *   <li>waiting sequences, first come first served, up to {@code max_num_seqs} and the free KV cache.
 * </ol>
 *
 * All of them get their token when the step ends, so a long prefill stretches everybody's inter-token time; how long a
 * step takes says {@link StepCost}.
 *
 * <p>A sequence is admitted only when its whole prompt and all its output fit in the free KV blocks, and they are
 * reserved: there is no preemption. {@link #kvUsage} nevertheless counts only blocks that hold tokens, as vLLM's gauge
 * does.
 *
 * <p>Time moves in {@link #advance}, which ends every step due by now: steps start where the one before ended and not
 * when the caller's timer happened to fire, so coarse timers do not slow the engine down. A caller later than
 * {@link #MAX_LAG_NANOS} (a machine that can't keep up) gets a slower engine instead of a burst.
 *
 * <p>Not thread-safe: one thread writes and reads.
 */
public final class StepSimulator {
    /** {@link #advance}: there is nothing to do until something is submitted. */
    public static final long IDLE = Long.MAX_VALUE;

    static final long MAX_LAG_NANOS = 250_000_000L;

    private record Chunk(Sequence sequence, int tokens) {}

    private final Profile profile;
    private final LongSupplier nanoClock;
    private final RandomGenerator random;
    private final StepObserver observer;

    private final PriorityQueue<Sequence> arriving = new PriorityQueue<>(
            Comparator.<Sequence>comparingLong(s -> s.readyNanos).thenComparingLong(s -> s.number));
    private final ArrayDeque<Sequence> waiting = new ArrayDeque<>();
    private final List<Sequence> running = new ArrayList<>();
    private final List<Sequence> stepDecodes = new ArrayList<>();
    private final List<Chunk> stepChunks = new ArrayList<>();

    private boolean stepping;
    private int stepTokens;
    private long stepEndNanos;
    private long freeAtNanos;
    private boolean paused;
    private long pausedAtNanos;
    private double timeFactor = 1;
    private int reservedBlocks;
    private long submitted;

    public StepSimulator(Profile profile, LongSupplier nanoClock, RandomGenerator random, StepObserver observer) {
        this.profile = profile;
        this.nanoClock = nanoClock;
        this.random = random;
        this.observer = observer;
        this.freeAtNanos = nanoClock.getAsLong();
    }

    /** Takes a request in now; it starts to wait after its {@link RequestOverhead}. */
    public Sequence submit(int promptTokens, int outputTokens, SequenceListener listener) {
        if (promptTokens < 1 || outputTokens < 0 || promptTokens + outputTokens > profile.maxModelLen()) {
            throw new IllegalArgumentException("expected 1 or more prompt tokens, 0 or more output tokens and at most "
                    + profile.maxModelLen() + " together, got " + promptTokens + " and " + outputTokens);
        }
        long now = nanoClock.getAsLong();
        long ready = now + profile.overhead().nanos(promptTokens, random);
        Sequence sequence = new Sequence(submitted++, promptTokens, outputTokens, now, ready, listener);
        arriving.add(sequence);
        return sequence;
    }

    /** Takes a sequence out at once, whatever it was doing. Without effect on one that has ended. */
    public void abort(Sequence sequence) {
        switch (sequence.state) {
            case ARRIVING -> arriving.remove(sequence);
            case WAITING -> waiting.remove(sequence);
            case RUNNING -> {
                running.remove(sequence);
                reservedBlocks -= sequence.reservedBlocks();
            }
            case FINISHED, ABORTED -> {
                return;
            }
        }
        sequence.state = Sequence.State.ABORTED;
        observer.aborted(sequence);
    }

    /**
     * Ends every step that is due and starts the next one.
     *
     * @return nanoseconds until there is something to do again, or {@link #IDLE}
     */
    public long advance() {
        long now = nanoClock.getAsLong();
        while (!paused) {
            if (stepping) {
                long left = stepEndNanos - now;
                if (left > 0) {
                    return left;
                }
                endStep();
            }
            long wait = startStep(now);
            if (wait > 0) {
                return wait;
            }
        }
        return IDLE;
    }

    /** Stops time: no step ends or starts until {@link #resume}. */
    public void pause() {
        if (!paused) {
            paused = true;
            pausedAtNanos = nanoClock.getAsLong();
        }
    }

    /** Goes on where {@link #pause} stopped; the step in flight keeps the time it had left. */
    public void resume() {
        if (paused) {
            paused = false;
            long pause = nanoClock.getAsLong() - pausedAtNanos;
            stepEndNanos += pause;
            freeAtNanos += pause;
        }
    }

    /** Multiplies the time of the steps that start from now on. */
    public void slowDown(double factor) {
        if (!(factor > 0)) {
            throw new IllegalArgumentException("time factor: expected a number above 0, got " + factor);
        }
        timeFactor = factor;
    }

    public int running() {
        return running.size();
    }

    /** Queued in the scheduler; requests still being tokenized are in nobody's gauge. */
    public int waiting() {
        return waiting.size();
    }

    /** Share of the KV blocks that hold tokens, 0 to 1. */
    public double kvUsage() {
        int used = 0;
        for (Sequence sequence : running) {
            used += sequence.usedBlocks();
        }
        return (double) used / profile.kvBlocks();
    }

    int reservedBlocks() {
        return reservedBlocks;
    }

    private long startStep(long now) {
        boolean workHere = !running.isEmpty() || !waiting.isEmpty();
        Sequence next = arriving.peek();
        if (!workHere && next == null) {
            return IDLE;
        }
        long start = workHere || next == null || next.readyNanos - freeAtNanos < 0 ? freeAtNanos : next.readyNanos;
        if (start - now > 0) {
            return start - now;
        }
        start = Math.max(start, now - MAX_LAG_NANOS);
        enqueueReady(start);
        planStep(start);
        return 0;
    }

    private void enqueueReady(long start) {
        for (Sequence next = arriving.peek(); next != null && next.readyNanos <= start; next = arriving.peek()) {
            arriving.remove();
            next.state = Sequence.State.WAITING;
            waiting.add(next);
        }
    }

    private void planStep(long start) {
        int budget = profile.maxNumBatchedTokens();
        long decodeContext = 0;
        double attention = 0;
        for (Sequence sequence : running) {
            if (budget > 0 && sequence.prefilled()) {
                stepDecodes.add(sequence);
                decodeContext += sequence.contextTokens();
                budget--;
            }
        }
        for (Sequence sequence : running) {
            if (budget > 0 && !sequence.prefilled()) {
                attention += planChunk(sequence, budget);
                budget -= stepChunks.getLast().tokens;
            }
        }
        while (budget > 0 && admitNext(start)) {
            attention += planChunk(running.getLast(), budget);
            budget -= stepChunks.getLast().tokens;
        }
        stepTokens = profile.maxNumBatchedTokens() - budget;
        double millis = profile.cost().millis(stepTokens, decodeContext, attention);
        stepEndNanos = start + Math.round(millis * timeFactor * profile.jitter().factor(random) * 1e6);
        stepping = true;
    }

    private double planChunk(Sequence sequence, int budget) {
        int tokens = Math.min(budget, sequence.promptTokens() - sequence.computedPromptTokens);
        stepChunks.add(new Chunk(sequence, tokens));
        return StepCost.attention(tokens, sequence.computedPromptTokens + tokens);
    }

    private boolean admitNext(long start) {
        Sequence head = waiting.peek();
        if (head == null
                || running.size() >= profile.maxNumSeqs()
                || reservedBlocks + head.reservedBlocks() > profile.kvBlocks()) {
            return false;
        }
        waiting.remove();
        reservedBlocks += head.reservedBlocks();
        head.state = Sequence.State.RUNNING;
        head.scheduledNanos = start;
        running.add(head);
        return true;
    }

    /** Listeners may abort any sequence meanwhile, so only the step's own plan is walked and states are checked. */
    private void endStep() {
        stepping = false;
        freeAtNanos = stepEndNanos;
        observer.stepEnded(stepTokens);
        for (Sequence sequence : stepDecodes) {
            if (sequence.state == Sequence.State.RUNNING) {
                observer.decoded(sequence, stepEndNanos - sequence.lastTokenNanos);
                gainToken(sequence);
            }
        }
        for (Chunk chunk : stepChunks) {
            if (chunk.sequence.state == Sequence.State.RUNNING) {
                endChunk(chunk);
            }
        }
        stepDecodes.clear();
        stepChunks.clear();
        running.removeIf(Sequence::finished);
    }

    private void endChunk(Chunk chunk) {
        Sequence sequence = chunk.sequence;
        sequence.computedPromptTokens += chunk.tokens;
        if (sequence.prefilled()) {
            sequence.firstTokenNanos = stepEndNanos;
            observer.prefilled(sequence);
            gainToken(sequence);
        }
    }

    private void gainToken(Sequence sequence) {
        sequence.lastTokenNanos = stepEndNanos;
        if (sequence.generatedTokens < sequence.outputTokens()) {
            sequence.generatedTokens++;
        }
        if (sequence.generatedTokens == sequence.outputTokens()) {
            sequence.state = Sequence.State.FINISHED;
            reservedBlocks -= sequence.reservedBlocks();
            observer.finished(sequence);
        }
        sequence.listener.progressed(sequence);
    }
}
