package dev.penstock.enginesim.engine;

import dev.penstock.enginesim.step.Sequence;
import dev.penstock.enginesim.step.SequenceListener;
import dev.penstock.enginesim.step.StepSimulator;
import io.vertx.core.Vertx;

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
    private volatile int running;
    private volatile int waiting;

    public StepLoop(Vertx vertx, StepSimulator simulator) {
        this.vertx = vertx;
        this.simulator = simulator;
    }

    public Sequence submit(int promptTokens, int outputTokens, SequenceListener listener) {
        Sequence sequence = simulator.submit(promptTokens, outputTokens, listener);
        advance();
        return sequence;
    }

    public void abort(Sequence sequence) {
        simulator.abort(sequence);
        publish();
    }

    /** Steps stop until {@link #resume}. */
    public void pause() {
        simulator.pause();
    }

    public void resume() {
        simulator.resume();
        advance();
    }

    public void slowDown(double factor) {
        simulator.slowDown(factor);
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
        long wait;
        try {
            wait = simulator.advance();
        } finally {
            advancing = false;
        }
        publish();
        if (wait != StepSimulator.IDLE) {
            timer = vertx.setTimer(Math.max(1, Math.ceilDiv(wait, NANOS_PER_MILLI)), _ -> {
                timer = NO_TIMER;
                advance();
            });
        }
    }

    private void publish() {
        running = simulator.running();
        waiting = simulator.waiting();
    }
}
