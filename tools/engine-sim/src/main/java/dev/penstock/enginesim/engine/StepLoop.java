package dev.penstock.enginesim.engine;

import dev.penstock.enginesim.step.Sequence;
import dev.penstock.enginesim.step.SequenceListener;
import dev.penstock.enginesim.step.StepSimulator;
import dev.penstock.enginesim.step.Work;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * An engine's schedulers: one, or with data parallelism one per rank, behind one front end. Ranks share nothing, their
 * caches neither; a request goes to the rank with the least of 4 x waiting + running, as vLLM's coordinator sends it.
 *
 * <p>Used on the engine's event loop only, but for the gauges {@link #running} and {@link #waiting}.
 */
public final class StepLoop {
    private static final int WAITING_WEIGHT = 4;

    private final List<RankLoop> ranks;
    private Runnable stepped = () -> {};
    private int first;

    public StepLoop(Vertx vertx, StepSimulator simulator) {
        this(vertx, List.of(simulator));
    }

    /** @param simulators one per rank */
    public StepLoop(Vertx vertx, List<StepSimulator> simulators) {
        this.ranks = simulators.stream()
                .map(simulator -> new RankLoop(vertx, simulator, () -> stepped.run()))
                .toList();
    }

    /** @param told after steps have ended on any rank */
    public void whenStepped(Runnable told) {
        stepped = told;
    }

    public Sequence submit(Work work, SequenceListener listener) {
        return submit(work, listener, _ -> {});
    }

    /** @param taken told of the sequence before the listener, which on a machine that lags may hear its end within this call */
    public Sequence submit(Work work, SequenceListener listener, Consumer<Sequence> taken) {
        return leastLoaded().submit(work, listener, taken);
    }

    public void abort(Sequence sequence) {
        ranks.stream().filter(rank -> rank.owns(sequence)).forEach(rank -> rank.abort(sequence));
    }

    /** Steps stop until {@link #resume}; requests are queued. */
    public void pause() {
        ranks.forEach(RankLoop::pause);
    }

    public void resume() {
        ranks.forEach(RankLoop::resume);
    }

    public void slowDown(double factor) {
        ranks.forEach(rank -> rank.slowDown(factor));
    }

    /** Leaves this share of the KV cache, 1 = all of it. */
    public void limitKv(double share) {
        ranks.forEach(rank -> rank.limitKv(share));
    }

    public void storm(boolean on) {
        ranks.forEach(rank -> rank.storm(on));
    }

    /** Forgets cached prompts, as far as nobody uses them. */
    public void forgetCached() {
        ranks.forEach(RankLoop::forgetCached);
    }

    /** Asks the schedulers: one answers between two steps, at once when it is idle, and not at all while it stalls. */
    public void atNextStep(BooleanSupplier wanted, Runnable question) {
        ask(0, wanted, question);
    }

    private void ask(int rank, BooleanSupplier wanted, Runnable question) {
        if (rank == ranks.size()) {
            question.run();
        } else {
            ranks.get(rank).atNextStep(wanted, () -> ask(rank + 1, wanted, question));
        }
    }

    /** Steps that ended. */
    public long steps() {
        return ranks.stream().mapToLong(RankLoop::steps).sum();
    }

    public int ranks() {
        return ranks.size();
    }

    public double kvUsage(int rank) {
        return ranks.get(rank).kvUsage();
    }

    public int running(int rank) {
        return ranks.get(rank).running();
    }

    public int waiting(int rank) {
        return ranks.get(rank).waiting();
    }

    /** Any thread. */
    public int running() {
        return ranks.stream().mapToInt(RankLoop::running).sum();
    }

    /** Any thread. */
    public int waiting() {
        return ranks.stream().mapToInt(RankLoop::waiting).sum();
    }

    /** Of equals the next in turn: requests that are being tokenized are in nobody's count. */
    private RankLoop leastLoaded() {
        RankLoop least = ranks.get(first);
        for (int i = 1; i < ranks.size(); i++) {
            RankLoop other = ranks.get((first + i) % ranks.size());
            if (load(other) < load(least)) {
                least = other;
            }
        }
        first = (ranks.indexOf(least) + 1) % ranks.size();
        return least;
    }

    private static int load(RankLoop rank) {
        return WAITING_WEIGHT * rank.waiting() + rank.running();
    }
}
