package dev.penstock.enginesim.engine;

import dev.penstock.enginesim.step.Sequence;
import dev.penstock.enginesim.step.SequenceListener;
import dev.penstock.enginesim.step.StepSimulator;
import dev.penstock.enginesim.step.Work;
import io.vertx.core.Vertx;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Drives a simulator in real time with one Vert.x timer, which exists only while there is something to wait for: an idle
 * engine costs nothing. Timers have a resolution of 1 ms and fire late; the simulator then ends several steps at once.
 *
 * <p>Used on the engine's event loop only, but for the gauges {@link #running} and {@link #waiting}.
 */
public final class StepLoop {
    private static final long NO_TIMER = -1;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Vertx vertx;
    private final StepSimulator simulator;
    private long timer = NO_TIMER;
    private boolean advancing;
    private boolean paused;
    private final Gate questions = new Gate();
    private volatile int running;
    private volatile int waiting;

    public StepLoop(Vertx vertx, StepSimulator simulator) {
        this.vertx = vertx;
        this.simulator = simulator;
    }

    public Sequence submit(Work work, SequenceListener listener) {
        return submit(work, listener, _ -> {});
    }

    /** @param taken told of the sequence before the listener, which on a machine that lags may hear its end within this call */
    public Sequence submit(Work work, SequenceListener listener, Consumer<Sequence> taken) {
        Sequence sequence = simulator.submit(work, listener);
        taken.accept(sequence);
        advance();
        return sequence;
    }

    public void abort(Sequence sequence) {
        simulator.abort(sequence);
        publish();
        if (timer == NO_TIMER && waiting > 0 && !advancing) {
            // The head of the queue may have been what did not fit.
            advance();
        }
    }

    /** Steps stop until {@link #resume}; requests are queued. */
    public void pause() {
        paused = true;
        simulator.pause();
        advance();
    }

    public void resume() {
        paused = false;
        simulator.resume();
        advance();
    }

    public void slowDown(double factor) {
        simulator.slowDown(factor);
    }

    /** Leaves this share of the KV cache, 1 = all of it. */
    public void limitKv(double share) {
        simulator.limitKv(share);
        advance();
    }

    public void storm(boolean on) {
        simulator.storm(on);
    }

    /** Forgets cached prompts, as far as nobody uses them. */
    public void forgetCached() {
        simulator.forgetCached();
    }

    /** Asks the scheduler: it answers between two steps, at once when it is idle, and not at all while it stalls. */
    public void atNextStep(BooleanSupplier wanted, Runnable question) {
        if (!paused && running == 0 && waiting == 0) {
            question.run();
        } else {
            questions.hold(wanted, question);
        }
    }

    /** Steps that ended. */
    public long steps() {
        return simulator.steps();
    }

    public double kvUsage() {
        return simulator.kvUsage();
    }

    /** Any thread. */
    public int running() {
        return running;
    }

    /** Any thread. */
    public int waiting() {
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
