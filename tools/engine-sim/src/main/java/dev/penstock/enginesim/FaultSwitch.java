package dev.penstock.enginesim;

import dev.penstock.enginesim.engine.Gate;
import dev.penstock.enginesim.engine.Kept;
import dev.penstock.enginesim.engine.RequestBook;
import dev.penstock.enginesim.engine.StepLoop;
import dev.penstock.enginesim.fault.Fault;
import dev.penstock.enginesim.kvevents.KvEventPublisher;
import dev.penstock.enginesim.openai.MetricsRoute;
import dev.penstock.enginesim.openai.OpenAnswers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import org.jspecify.annotations.Nullable;

/**
 * Sets faults: those that change an engine's machinery (its port, its steps, its page) are carried out here, the others
 * are read per request by the front end. Used on the engine's event loop.
 */
final class FaultSwitch {
    private static final long NO_TIMER = -1;
    private static final long EMPTY_CHECK_MILLIS = 2;

    /** What faults take hold of. */
    record Machinery(
            Vertx vertx,
            EngineKind kind,
            StepLoop loop,
            MetricsRoute metrics,
            OpenAnswers open,
            Gate gate,
            RequestBook requests,
            Runnable resetCounters,
            Kept kept,
            @Nullable KvEventPublisher kvEvents) {}

    private final FaultState state;
    private final Machinery engine;
    private long timer = NO_TIMER;

    FaultSwitch(FaultState state, Machinery engine) {
        this.state = state;
        this.engine = engine;
    }

    Fault current() {
        return state.current();
    }

    /** Undoes the fault there was and puts this one in force. */
    Future<Void> set(Fault next, EngineListener listener) {
        Fault previous = state.current();
        if (next.equals(previous)) {
            return Future.succeededFuture();
        }
        state.become(next);
        engine.metrics.show(next);
        return undo(previous, listener).compose(_ -> apply(next, listener));
    }

    private Future<Void> undo(Fault fault, EngineListener listener) {
        if (timer != NO_TIMER) {
            engine.vertx.cancelTimer(timer);
            timer = NO_TIMER;
        }
        switch (fault) {
            case Fault.Refuse _ -> {
                return listener.open();
            }
            case Fault.Kill _, Fault.Sigterm _, Fault.Dead _, Fault.Starting _ -> {
                return startProcess(listener);
            }
            case Fault.Hang _, Fault.HangRequests _, Fault.HangHealth _, Fault.HangMetrics _ -> engine.gate.release();
            case Fault.Stall _, Fault.Orphan _, Fault.Sleep _ -> engine.loop.resume();
            case Fault.Slow _, Fault.Overload _ -> engine.loop.slowDown(1);
            case Fault.KvShrink _ -> engine.loop.limitKv(1);
            case Fault.PreemptStorm _ -> engine.loop.storm(false);
            default -> {}
        }
        return Future.succeededFuture();
    }

    private Future<Void> apply(Fault fault, EngineListener listener) {
        switch (fault) {
            case Fault.Refuse _ -> {
                return listener.refuse();
            }
            case Fault.Kill _ -> {
                return kill(listener);
            }
            case Fault.Sigterm sigterm -> {
                return terminate(sigterm, listener);
            }
            case Fault.Dead dead -> {
                return die(dead, listener);
            }
            case Fault.Starting _ -> {
                return load(listener);
            }
            case Fault.Stall _, Fault.Orphan _, Fault.Sleep _ -> engine.loop.pause();
            case Fault.Slow slow -> engine.loop.slowDown(slow.factor());
            case Fault.Overload overload -> engine.loop.slowDown(overload.factor());
            case Fault.KvShrink shrink -> engine.loop.limitKv(shrink.percent() / 100.0);
            case Fault.PreemptStorm _ -> engine.loop.storm(true);
            case Fault.ResetCounters _ -> engine.resetCounters.run();
            default -> {}
        }
        return Future.succeededFuture();
    }

    /** A new process behind the same port: nothing cached, nothing counted. */
    private Future<Void> startProcess(EngineListener listener) {
        engine.loop.resume();
        engine.loop.forgetCached();
        engine.kept.forget();
        engine.resetCounters.run();
        if (engine.kvEvents != null) {
            engine.kvEvents.restart();
        }
        return listener.open();
    }

    private Future<Void> kill(EngineListener listener) {
        engine.open.dropAll();
        if (engine.kvEvents != null) {
            engine.kvEvents.close();
        }
        return listener.kill();
    }

    private Future<Void> terminate(Fault.Sigterm sigterm, EngineListener listener) {
        if (engine.kind == EngineKind.VLLM && sigterm.timeoutMillis() == 0) {
            engine.open.abortAll();
            return listener.refuse();
        }
        long checks = engine.kind == EngineKind.VLLM
                ? Math.ceilDiv(sigterm.timeoutMillis(), EMPTY_CHECK_MILLIS)
                : Long.MAX_VALUE;
        exitWhenEmpty(checks, listener);
        return Future.succeededFuture();
    }

    private void exitWhenEmpty(long checksLeft, EngineListener listener) {
        timer = engine.vertx.setTimer(EMPTY_CHECK_MILLIS, _ -> {
            timer = NO_TIMER;
            if (checksLeft <= 1) {
                engine.open.abortAll();
            }
            if (engine.requests.counts().inflight() == 0) {
                listener.refuse();
            } else {
                exitWhenEmpty(checksLeft - 1, listener);
            }
        });
    }

    private Future<Void> die(Fault.Dead dead, EngineListener listener) {
        engine.open.failAll();
        engine.loop.pause();
        if (dead.exitMillis() == 0) {
            return listener.kill();
        }
        timer = engine.vertx.setTimer(dead.exitMillis(), _ -> {
            timer = NO_TIMER;
            listener.kill();
        });
        return Future.succeededFuture();
    }

    /** vLLM opens its port when it is ready; SGLang at once, and requests wait. */
    private Future<Void> load(EngineListener listener) {
        engine.open.dropAll();
        if (engine.kind == EngineKind.VLLM) {
            return listener.kill();
        }
        engine.resetCounters.run();
        engine.loop.pause();
        return Future.succeededFuture();
    }
}
