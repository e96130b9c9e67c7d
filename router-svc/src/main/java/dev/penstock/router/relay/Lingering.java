package dev.penstock.router.relay;

import dev.penstock.core.view.ReplicaCell;
import dev.penstock.model.EngineKind;
import io.vertx.core.http.HttpConnection;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Requests that nobody waits for any more and that may still run: each stays in flight until its engine is known to have
 * stopped. That is so when the engine closed the connection; else after the time its kind takes to notice, if its heartbeat
 * moved or its page showed it idle since. One event loop's; looked at by its {@link Watch}.
 */
final class Lingering {
    /** vLLM aborts when its client's connection closes; half a second is many of its steps. */
    private static final long VLLM_NANOS = 500_000_000L;
    /** SGLang looks every 2 s (streams) to 4 s. */
    private static final long SGLANG_NANOS = 5_000_000_000L;

    private final List<Aborted> aborted = new ArrayList<>();

    private static final class Aborted {
        final ReplicaCell cell;
        final long sinceNanos;
        final long lingerNanos;

        @Nullable
        HttpConnection connection;

        boolean released;

        Aborted(ReplicaCell cell, long sinceNanos, long lingerNanos) {
            this.cell = cell;
            this.sinceNanos = sinceNanos;
            this.lingerNanos = lingerNanos;
        }

        void release() {
            if (released) return;
            released = true;
            cell.release();
        }

        /** True when nothing is left to wait for. */
        boolean look(long nowNanos) {
            if (released) return true;
            if (nowNanos - sinceNanos < lingerNanos) return false;
            if (connection != null) {
                HttpConnection patient = connection;
                connection = null;
                patient.close();
            }
            if (released) return true;
            if (!cell.stoppedSince(sinceNanos)) return false;
            release();
            return true;
        }
    }

    /** The in-flight count of the cell is given back here, once. */
    void add(ReplicaCell cell, EngineKind engine, HttpConnection connection, long nowNanos) {
        Aborted one = new Aborted(cell, nowNanos, engine == EngineKind.SGLANG ? SGLANG_NANOS : VLLM_NANOS);
        aborted.add(one);
        connection.closeHandler(closed -> one.release());
        if (HalfClose.of(connection)) one.connection = connection;
        else connection.close();
    }

    void look(long nowNanos) {
        aborted.removeIf(one -> one.look(nowNanos));
    }

    int count() {
        return aborted.size();
    }
}
