package dev.penstock.router.relay;

import dev.penstock.core.view.FleetView;
import dev.penstock.core.view.ReplicaCell;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.core.view.RosterImage;
import dev.penstock.model.EngineKind;
import dev.penstock.model.Freshness;
import io.vertx.core.http.HttpConnection;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Requests that nobody waits for any more and that may still run: each stays in flight until its engine is known to have
 * stopped. That is so when the engine closed the connection; else after the time its kind takes to notice, if its heartbeat
 * moved or its page showed it idle since. Of a replica that nobody tells of, or that is gone, nothing more will be known: there
 * that time is all there is. One event loop's; looked at together with its {@link Watch}.
 */
final class Lingering {
    /** vLLM aborts when its client's connection closes; half a second is many of its steps. */
    private static final long VLLM_NANOS = 500_000_000L;
    /** SGLang looks every 2 s (streams) to 4 s. */
    private static final long SGLANG_NANOS = 5_000_000_000L;

    private final FleetView view;
    private final List<Aborted> aborted = new ArrayList<>();

    Lingering(FleetView view) {
        this.view = view;
    }

    private static final class Aborted {
        final ReplicaEntry replica;
        final ReplicaCell cell;
        final long sinceNanos;
        final long lingerNanos;

        @Nullable
        HttpConnection connection;

        boolean released;

        Aborted(ReplicaEntry replica, long sinceNanos, long lingerNanos) {
            this.replica = replica;
            this.cell = replica.cell();
            this.sinceNanos = sinceNanos;
            this.lingerNanos = lingerNanos;
        }

        void release() {
            if (released) return;
            released = true;
            cell.release();
        }

        /** True when nothing is left to wait for. */
        boolean look(RosterImage roster, long nowNanos) {
            if (released) return true;
            if (nowNanos - sinceNanos < lingerNanos) return false;
            close();
            if (!stopped(roster, nowNanos)) return false;
            release();
            return true;
        }

        /** Our own close says nothing of the engine. */
        private void close() {
            HttpConnection patient = connection;
            if (patient == null) return;
            connection = null;
            patient.closeHandler(null);
            patient.close();
        }

        private boolean stopped(RosterImage roster, long nowNanos) {
            return cell.stoppedSince(sinceNanos)
                    || cell.telemetry().freshness(nowNanos) == Freshness.MISSING
                    || roster.byNumber(replica.replica().number()) == null;
        }
    }

    /** The in-flight count of the replica is given back here, once. */
    void add(ReplicaEntry replica, HttpConnection connection, long nowNanos) {
        boolean sglang = replica.replica().engine() == EngineKind.SGLANG;
        Aborted one = new Aborted(replica, nowNanos, sglang ? SGLANG_NANOS : VLLM_NANOS);
        connection.closeHandler(closed -> one.release());
        if (Wire.halfClose(connection)) {
            one.connection = connection;
            aborted.add(one);
        } else {
            // The engine closed it before we did.
            one.release();
        }
    }

    void look(long nowNanos) {
        if (aborted.isEmpty()) return;
        RosterImage roster = view.current();
        aborted.removeIf(one -> one.look(roster, nowNanos));
    }

    int count() {
        return aborted.size();
    }
}
