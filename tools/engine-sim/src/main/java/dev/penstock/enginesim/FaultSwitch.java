package dev.penstock.enginesim;

import dev.penstock.enginesim.engine.StepLoop;
import dev.penstock.enginesim.fault.Fault;
import dev.penstock.enginesim.vllm.MetricsRoute;
import io.vertx.core.Future;

/**
 * Which fault an engine has, and the machinery that some of them stop. The others are read per request by the front
 * end. Changed on the engine's event loop, read by any thread.
 */
final class FaultSwitch {
    private final StepLoop loop;
    private final MetricsRoute metrics;
    private volatile Fault current = new Fault.None();

    FaultSwitch(StepLoop loop, MetricsRoute metrics) {
        this.loop = loop;
        this.metrics = metrics;
    }

    Fault current() {
        return current;
    }

    /** Undoes the fault there was and puts this one in force. */
    Future<Void> set(Fault next, EngineListener listener) {
        Fault previous = current;
        if (next.equals(previous)) {
            return Future.succeededFuture();
        }
        current = next;
        return undo(previous, listener).compose(_ -> apply(next, listener));
    }

    private Future<Void> undo(Fault fault, EngineListener listener) {
        switch (fault) {
            case Fault.Refuse _ -> {
                return listener.open();
            }
            case Fault.Stall _ -> loop.resume();
            case Fault.Slow _ -> loop.slowDown(1);
            case Fault.FreezeMetrics _ -> metrics.thaw();
            case Fault.None _, Fault.ErrorStatus _, Fault.Truncate _, Fault.DropDone _, Fault.Abort _ -> {}
        }
        return Future.succeededFuture();
    }

    private Future<Void> apply(Fault fault, EngineListener listener) {
        switch (fault) {
            case Fault.Refuse _ -> {
                return listener.refuse();
            }
            case Fault.Stall _ -> loop.pause();
            case Fault.Slow slow -> loop.slowDown(slow.factor());
            case Fault.FreezeMetrics _ -> metrics.freeze();
            case Fault.None _, Fault.ErrorStatus _, Fault.Truncate _, Fault.DropDone _, Fault.Abort _ -> {}
        }
        return Future.succeededFuture();
    }
}
