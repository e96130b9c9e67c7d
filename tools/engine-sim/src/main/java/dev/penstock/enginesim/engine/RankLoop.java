package dev.penstock.enginesim.engine;

import dev.penstock.enginesim.step.Sequence;
import dev.penstock.enginesim.step.SequenceListener;
import dev.penstock.enginesim.step.StepSimulator;
import dev.penstock.enginesim.step.Work;
import io.vertx.core.Vertx;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * One rank of an engine: drives its simulator in real time with one Vert.x timer, which exists only while there is something to wait for: an idle
 * engine costs nothing. Timers have a resolution of 1 ms and fire late; the simulator then ends several steps at once.
 *
 * <p>Used on the engine's event loop only, but for the gauges {@link #running} and {@link #waiting}.
 */
final class RankLoop {
    private static final long NO_TIMER = -1;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Vertx vertx;
    private final StepSimulator simulator;
    private final Runnable stepped;
    private long timer = NO_TIMER;
    private boolean advancing;
    private boolean paused;
    private final Gate questions = new Gate();
    private volatile int running;
    private volatile int waiting;

    RankLoop(Vertx vertx, StepSimulator simulator, Runnable stepped) {
        this.vertx = vertx;
        this.simulator = simulator;
        this.stepped = stepped;
    }

    /** @param taken told of the sequence before the listener, which on a machine that lags may hear its end within this call */
    Sequence submit(Work work, SequenceListener listener, Consumer<Sequence> taken) {
        Sequence sequence = simulator.submit(work, listener);
        taken.accept(sequence);
        advance();
        return sequence;
    }

    boolean owns(Sequence sequence) {
        return simulator.owns(sequence);
    }

    void abort(Sequence sequence) {
        simulator.abort(sequence);
        publish();
        if (timer == NO_TIMER && waiting > 0 && !advancing) {
            // The head of the queue may have been what did not fit.
            advance();
        }
    }

    /** Steps stop until {@link #resume}; requests are queued. */
    void pause() {
        paused = true;
        simulator.pause();
        advance();
    }

    void resume() {
        paused = false;
        simulator.resume();
        advance();
    }

    void slowDown(double factor) {
        simulator.slowDown(factor);
    }

    /** Leaves this share of the KV cache, 1 = all of it. */
    void limitKv(double share) {
        simulator.limitKv(share);
        advance();
    }

    void storm(boolean on) {
        simulator.storm(on);
    }

    /** Forgets cached prompts, as far as nobody uses them. */
    void forgetCached() {
        simulator.forgetCached();
    }

    /** Asks the scheduler: it answers between two steps, at once when it is idle, and not at all while it stalls. */
    void atNextStep(BooleanSupplier wanted, Runnable question) {
        if (!paused && running == 0 && waiting == 0) {
            question.run();
        } else {
            questions.hold(wanted, question);
        }
    }

    /** Steps that ended. */
    long steps() {
        return simulator.steps();
    }

    double kvUsage() {
        return simulator.kvUsage();
    }

    /** Any thread. */
    int running() {
        return running;
    }

    /** Any thread. */
    int waiting() {
        return waiting;
    }

    private void advance() {
        if (advancing) {
            // A listener submitted inside a step: the advance further up the stack will see it.
            return;
        }
        if (timer != NO_TIMER) {
            vertx.cancelTimer(timer);
            timer = NO_TIMER;
        }
        advancing = true;
        long before = simulator.steps();
        long wait;
        try {
            wait = simulator.advance();
        } finally {
            advancing = false;
        }
        publish();
        stepped.run();
        answerQuestions(before);
        if (timer == NO_TIMER && wait != StepSimulator.IDLE) {
            timer = vertx.setTimer(Math.max(1, Math.ceilDiv(wait, NANOS_PER_MILLI)), _ -> {
                timer = NO_TIMER;
                advance();
            });
        }
    }

    private void answerQuestions(long stepsBefore) {
        boolean answers = simulator.steps() > stepsBefore || running + waiting == 0;
        if (!questions.empty() && !paused && answers) {
            questions.release();
        }
    }

    private void publish() {
        running = simulator.running();
        waiting = simulator.waiting();
    }
}
