package dev.penstock.core.view;

import dev.penstock.core.feed.FrameGate;
import dev.penstock.model.InflightVector;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * What the other routers have in flight. A silent router's counts fade from three periods (300 ms) after its last
 * record, with a time constant of 1 s, and are gone after 3 s: its requests may be too, and a hint for balance is all
 * they are. One writer.
 */
final class PeerCounts {
    private static final long QUIET_NANOS = 300_000_000L;
    private static final long GONE_NANOS = 3_000_000_000L;
    private static final double FADE_NANOS = 1e9;

    private final long ownIncarnation;
    private final Map<String, Peer> peers = new HashMap<>();

    PeerCounts(long ownIncarnation) {
        this.ownIncarnation = ownIncarnation;
    }

    private static final class Peer {
        final FrameGate gate = new FrameGate();
        final Map<Integer, Integer> counts = new HashMap<>();

        double weight(long nowNanos) {
            long age = nowNanos - gate.lastReceiveNanos() + gate.excessNanos();
            if (age <= QUIET_NANOS) return 1;
            return age >= GONE_NANOS ? 0 : Math.exp(-(age - QUIET_NANOS) / FADE_NANOS);
        }
    }

    void apply(InflightVector vector, long receiveNanos) {
        if (vector.header().incarnation() == ownIncarnation) return;
        Peer peer = peers.computeIfAbsent(vector.header().producer(), p -> new Peer());
        switch (peer.gate.admit(vector.header(), vector.full(), receiveNanos)) {
            case DROPPED -> {
                return;
            }
            case FIRST -> peer.counts.clear();
            // Counts are absolute, so a delta after a gap is right in what it says; the next full one repairs the rest.
            case AFTER_GAP, IN_ORDER -> {}
        }
        if (vector.full()) peer.counts.clear();
        for (int i = 0; i < vector.numbers().length; i++) {
            if (vector.counts()[i] == 0) peer.counts.remove(vector.numbers()[i]);
            else peer.counts.put(vector.numbers()[i], vector.counts()[i]);
        }
    }

    /** Sum over live peers per replica, written into the cells; drops peers that are gone. */
    void writeTo(RosterImage image, long nowNanos) {
        Map<Integer, Double> sums = new HashMap<>();
        for (Iterator<Peer> each = peers.values().iterator(); each.hasNext(); ) {
            Peer peer = each.next();
            double weight = peer.weight(nowNanos);
            if (weight == 0) each.remove();
            else peer.counts.forEach((number, count) -> sums.merge(number, count * weight, Double::sum));
        }
        for (ReplicaEntry entry : image.entries()) {
            double sum = sums.getOrDefault(entry.replica().number(), 0.0);
            entry.cell().peersMilli((int) Math.round(Math.min(sum * 1000, Integer.MAX_VALUE)));
        }
    }
}
