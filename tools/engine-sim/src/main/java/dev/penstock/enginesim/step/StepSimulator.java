package dev.penstock.enginesim.step;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
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
 * <p>A sequence is admitted when its prompt fits in the free KV blocks, and takes further blocks as it grows. When there
 * is none left, the sequence that was admitted last is preempted: it gives its blocks back, goes to the head of the queue
 * and later computes its prompt and everything it had generated again. A step that preempts admits nobody. Full blocks
 * of prompts stay findable ({@link KvCache}): a prompt that starts like an earlier one computes only the rest, at least
 * its last token.
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
    private final KvListener kvListener;

    private final PriorityQueue<Sequence> arriving = new PriorityQueue<>(
            Comparator.<Sequence>comparingLong(s -> s.readyNanos).thenComparingLong(s -> s.number));
    private final KvCache cache;
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
    private int prefillTokens;
    private long preprocessorFreeNanos;
    private boolean storming;
    private long steps;
    private long submitted;

    public StepSimulator(Profile profile, LongSupplier nanoClock, RandomGenerator random, StepObserver observer) {
        this(profile, nanoClock, random, observer, KvListener.NONE);
    }

    /** @param kvListener told what becomes and stops being findable */
    public StepSimulator(
            Profile profile,
            LongSupplier nanoClock,
            RandomGenerator random,
            StepObserver observer,
            KvListener kvListener) {
        this.profile = profile;
        this.nanoClock = nanoClock;
        this.random = random;
        this.observer = observer;
        this.kvListener = kvListener;
        this.cache = new KvCache(profile.kvBlocks(), kvListener);
        this.freeAtNanos = nanoClock.getAsLong();
        this.preprocessorFreeNanos = freeAtNanos;
    }

    /** A prompt that shares nothing with others. */
    public Sequence submit(int promptTokens, int outputTokens, SequenceListener listener) {
        return submit(Work.of(promptTokens, outputTokens), listener);
    }

    /** Takes a request in now; it starts to wait after its {@link RequestOverhead} and its turn at the preprocessor. */
    public Sequence submit(Work work, SequenceListener listener) {
        if (work.promptTokens() < 1
                || work.outputTokens() < 0
                || work.promptTokens() + work.outputTokens() > profile.maxModelLen()) {
            throw new IllegalArgumentException("expected 1 or more prompt tokens, 0 or more output tokens and at most "
                    + profile.maxModelLen() + " together, got " + work.promptTokens() + " and " + work.outputTokens());
        }
        long now = nanoClock.getAsLong();
        long ready = now + profile.overhead().nanos(work.promptTokens(), random);
        long preprocess = profile.vision().preprocessNanos(work.imageTokens(), random);
        if (preprocess > 0) {
            ready = Math.max(ready, preprocessorFreeNanos) + preprocess;
            preprocessorFreeNanos = ready;
        }
        Sequence sequence = new Sequence(submitted++, work, now, ready, listener);
        sequence.owner = this;
        arriving.add(sequence);
        return sequence;
    }

    /** Whether it was submitted here. */
    public boolean owns(Sequence sequence) {
        return sequence.owner == this;
    }

    /** Takes a sequence out at once, whatever it was doing. Without effect on one that has ended. */
    public void abort(Sequence sequence) {
        switch (sequence.state) {
            case ARRIVING -> arriving.remove(sequence);
            case WAITING -> waiting.remove(sequence);
            case RUNNING -> {
                running.remove(sequence);
                releaseBlocks(sequence);
            }
            case FINISHED, ABORTED -> {
                return;
            }
        }
        sequence.state = Sequence.State.ABORTED;
        if (counts(sequence)) {
            observer.aborted(sequence);
        }
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
        // A stalled scheduler's queue still fills.
        enqueueReady(now);
        Sequence next = arriving.peek();
        return next == null ? IDLE : next.readyNanos - now;
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

    /**
     * Leaves only this share of the KV cache to be used, 1 = all of it.
     *
     * <p>A request that no longer fits waits, and with it all behind it, until there is more again.
     */
    public void limitKv(double share) {
        cache.limitTo((int) Math.ceil(profile.kvBlocks() * share));
    }

    /** In every other step the sequence admitted last is preempted, if others run beside it. */
    public void storm(boolean on) {
        storming = on;
    }

    /** Forgets cached prompts, as far as nobody uses them. */
    public void forgetCached() {
        cache.forgetIdle();
        if (cache.held() == 0) {
            kvListener.cleared();
        }
    }

    public int running() {
        return running.size();
    }

    /** Queued in the scheduler; requests still being tokenized are in nobody's gauge. */
    public int waiting() {
        return waiting.size();
    }

    /** Share of the KV blocks that sequences hold, 0 to 1; what is only findable counts as free. */
    public double kvUsage() {
        return (double) cache.held() / cache.size();
    }

    /** Steps that ended. */
    public long steps() {
        return steps;
    }

    int heldBlocks() {
        return cache.held();
    }

    int cachedBlocks() {
        return cache.idle();
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
        if (planStep(start)) {
            return 0;
        }
        // Nobody runs and the head of the queue does not fit: only a larger cache helps, or an abort.
        freeAtNanos = now;
        enqueueReady(now);
        next = arriving.peek();
        return next == null ? IDLE : next.readyNanos - now;
    }

    private void enqueueReady(long start) {
        for (Sequence next = arriving.peek(); next != null && next.readyNanos <= start; next = arriving.peek()) {
            arriving.remove();
            next.state = Sequence.State.WAITING;
            waiting.add(next);
        }
    }

    private boolean planStep(long start) {
        int budget = profile.maxNumBatchedTokens();
        boolean preempted = storming && steps % 2 == 1 && running.size() > 1 && preemptLast();
        long decodeContext = 0;
        double attention = 0;
        for (int i = 0; i < running.size() && budget > 0; i++) {
            Sequence sequence = running.get(i);
            if (sequence.prefilled()) {
                int before = running.size();
                boolean fits = makeRoom(sequence);
                preempted |= running.size() < before;
                if (!fits) {
                    break;
                }
                stepDecodes.add(sequence);
                decodeContext += sequence.contextTokens();
                budget--;
            }
        }
        stepTokens = stepDecodes.size();
        prefillTokens = 0;
        double encoderMillis = 0;
        for (Sequence sequence : running) {
            if (budget > prefillTokens && !sequence.prefilled()) {
                attention += planChunk(sequence, budget - prefillTokens);
            }
        }
        while (!preempted && budget > prefillTokens && admitNext(start)) {
            Sequence sequence = running.getLast();
            encoderMillis += profile.vision().encoderMillisPerToken() * sequence.work.imageTokens();
            attention += planChunk(sequence, budget - prefillTokens);
        }
        stepTokens += prefillTokens;
        if (stepTokens == 0) {
            return preempted && planStep(start);
        }
        double millis = profile.cost().millis(stepTokens, decodeContext, attention) + encoderMillis;
        stepEndNanos = start + Math.round(millis * timeFactor * profile.jitter().factor(random) * 1e6);
        stepping = true;
        return true;
    }

    /** Gets the block for the next token, from the last ones if need be. @return false if it was itself the last */
    private boolean makeRoom(Sequence sequence) {
        int missing = Profile.blocks(sequence.contextTokens()) - sequence.blocks;
        while (missing > cache.free()) {
            preemptLast();
            if (sequence.state != Sequence.State.RUNNING) {
                return false;
            }
        }
        if (missing > 0) {
            cache.take(missing);
            sequence.blocks += missing;
        }
        return true;
    }

    private boolean preemptLast() {
        Sequence last = running.removeLast();
        releaseBlocks(last);
        last.state = Sequence.State.WAITING;
        last.computedTokens = 0;
        last.preemptions++;
        waiting.addFirst(last);
        if (counts(last)) {
            observer.preempted(last);
        }
        return true;
    }

    private double planChunk(Sequence sequence, int budget) {
        int tokens = Math.min(budget, sequence.prefillTokens - sequence.computedTokens);
        stepChunks.add(new Chunk(sequence, tokens));
        prefillTokens += tokens;
        return StepCost.attention(tokens, sequence.computedTokens + tokens);
    }

    private boolean admitNext(long start) {
        Sequence head = waiting.peek();
        if (head == null || running.size() >= profile.maxNumSeqs()) {
            return false;
        }
        BlockHashes prompt = head.work.blockHashes();
        int target = head.contextTokens();
        // At least the last token has to be computed, or there would be nothing to sample from.
        int known = cache.knownPrefix(prompt, (target - 1) / Profile.BLOCK_TOKENS);
        int missing = Profile.blocks(target) - known;
        if (missing + cache.idleAmong(prompt, known) > cache.free()) {
            return false;
        }
        waiting.remove();
        head.slots = new int[prompt.count()];
        Arrays.fill(head.slots, KvCache.UNKNOWN);
        for (int i = 0; i < known; i++) {
            head.slots[i] = cache.share(prompt.at(i));
        }
        cache.take(missing);
        head.blocks = known + missing;
        head.prefillTokens = target;
        head.computedTokens = known * Profile.BLOCK_TOKENS;
        head.state = Sequence.State.RUNNING;
        running.add(head);
        if (head.preemptions == 0) {
            head.scheduledNanos = start;
            head.cachedTokens = head.computedTokens;
            if (counts(head)) {
                observer.scheduled(head);
            }
        }
        return true;
    }

    private void releaseBlocks(Sequence sequence) {
        int alone = sequence.blocks;
        for (int i = sequence.slots.length - 1; i >= 0; i--) {
            if (sequence.slots[i] != KvCache.UNKNOWN) {
                cache.release(sequence.slots[i]);
                alone--;
            }
        }
        cache.give(alone);
        sequence.blocks = 0;
        sequence.slots = new int[0];
    }

    private static boolean counts(Sequence sequence) {
        return !sequence.work.probe();
    }

    /** Listeners may abort any sequence meanwhile, so only the step's own plan is walked and states are checked. */
    private void endStep() {
        stepping = false;
        freeAtNanos = stepEndNanos;
        steps++;
        observer.stepEnded(stepTokens, prefillTokens);
        for (Sequence sequence : stepDecodes) {
            if (sequence.state == Sequence.State.RUNNING) {
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
        sequence.computedTokens += chunk.tokens;
        learnBlocks(sequence);
        if (sequence.prefilled()) {
            gainToken(sequence);
        }
    }

    private void learnBlocks(Sequence sequence) {
        BlockHashes prompt = sequence.work.blockHashes();
        int full = Math.min(prompt.count(), sequence.computedTokens / Profile.BLOCK_TOKENS);
        for (int i = 0; i < full; i++) {
            if (sequence.slots[i] == KvCache.UNKNOWN) {
                sequence.slots[i] = cache.learn(prompt.at(i));
                if (sequence.slots[i] != KvCache.UNKNOWN) {
                    kvListener.stored(prompt, i);
                }
            }
        }
    }

    private void gainToken(Sequence sequence) {
        boolean first = sequence.firstTokenNanos == Sequence.NEVER;
        if (first) {
            sequence.firstTokenNanos = stepEndNanos;
        }
        if (counts(sequence)) {
            if (first) {
                observer.prefilled(sequence);
            } else {
                observer.decoded(sequence, stepEndNanos - sequence.lastTokenNanos);
            }
        }
        sequence.lastTokenNanos = stepEndNanos;
        if (sequence.generatedTokens < sequence.outputTokens()) {
            sequence.generatedTokens++;
        }
        if (sequence.generatedTokens == sequence.outputTokens()) {
            sequence.state = Sequence.State.FINISHED;
            releaseBlocks(sequence);
            if (counts(sequence)) {
                observer.finished(sequence);
            }
        }
        sequence.listener.progressed(sequence);
    }
}
