package dev.penstock.core.view;

import dev.penstock.core.feed.FrameGate;
import dev.penstock.model.InflightVector;
import dev.penstock.model.PoolId;
import java.util.HashMap;
import java.util.Map;

/**
 * What the other routers have in flight. A published count is old by the time it is read, so it is shrunk toward the peer's
 * fair share of the pool as it ages: what a peer has there now is what it had there, as far as that is not over.
 *
 * <pre>
 *   m_h,i = peer h's requests in the pool / replicas of the pool
 *   w_h,i = exp(-age_h / S_i)                        autocorrelation of a count in M/M/inf; S = service time, 50 ms at least
 *   rem_i = sum over peers ( m_h,i + (published_h,i - m_h,i) w_h,i )
 * </pre>
 *
 * Between two vectors the peers presumably did half of what this router did since ({@link ReplicaCell#peersMilli(int)}). A
 * silent router's counts fade from three periods (300 ms) after its last record, with a time constant of 1 s, and are gone
 * after 3 s: its requests may be too, and a hint for balance is all they are. One writer.
 */
final class PeerCounts {
    private static final long QUIET_NANOS = 300_000_000L;
    private static final long GONE_NANOS = 3_000_000_000L;
    private static final double FADE_NANOS = 1e9;

    /** What a vector says stands until the next one comes: half a period later on average. */
    private static final long HALF_PERIOD_NANOS = 50_000_000L;

    private final long ownIncarnation;
    private final Map<String, Peer> peers = new HashMap<>();

    PeerCounts(long ownIncarnation) {
        this.ownIncarnation = ownIncarnation;
    }

    private static final class Peer {
        final FrameGate gate = new FrameGate();
        final Map<Integer, Integer> counts = new HashMap<>();

        long ageNanos(long nowNanos) {
            return nowNanos - gate.lastReceiveNanos() + gate.excessNanos();
        }

        double weight(long nowNanos) {
            long age = ageNanos(nowNanos);
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

    /** Estimates of live peers' counts per replica, written into the cells; drops peers that are gone. */
    void writeTo(RosterImage image, long nowNanos) {
        peers.values().removeIf(peer -> peer.weight(nowNanos) == 0);
        Map<PoolId, Integer> poolToSize = new HashMap<>();
        for (ReplicaEntry entry : image.entries())
            poolToSize.merge(entry.replica().pool(), 1, Integer::sum);
        Map<Integer, Double> sums = new HashMap<>();
        for (Peer peer : peers.values()) add(peer, image, poolToSize, sums, nowNanos);
        for (ReplicaEntry entry : image.entries()) {
            double sum = sums.getOrDefault(entry.replica().number(), 0.0);
            entry.cell().estimatePeers((int) Math.round(Math.min(sum * 1000, Integer.MAX_VALUE)));
        }
    }

    private static void add(
            Peer peer, RosterImage image, Map<PoolId, Integer> poolToSize, Map<Integer, Double> sums, long nowNanos) {
        Map<PoolId, Long> poolToTotal = new HashMap<>();
        peer.counts.forEach((number, count) -> {
            ReplicaEntry entry = image.byNumber(number);
            if (entry != null) poolToTotal.merge(entry.replica().pool(), (long) count, Long::sum);
        });
        if (poolToTotal.isEmpty()) return;
        double fade = peer.weight(nowNanos);
        double ageNanos = Math.max(0, peer.ageNanos(nowNanos)) + HALF_PERIOD_NANOS;
        for (ReplicaEntry entry : image.entries()) {
            PoolId pool = entry.replica().pool();
            long total = poolToTotal.getOrDefault(pool, 0L);
            if (total == 0) continue;
            int number = entry.replica().number();
            double fair = (double) total / poolToSize.getOrDefault(pool, 1);
            double kept = Math.exp(-ageNanos / entry.cell().serviceNanos());
            double estimate = fair + (peer.counts.getOrDefault(number, 0) - fair) * kept;
            sums.merge(number, fade * estimate, Double::sum);
        }
    }

    /** Peers that are heard of at present. */
    int alive(long nowNanos) {
        int alive = 0;
        for (Peer peer : peers.values()) if (peer.weight(nowNanos) == 1) alive++;
        return alive;
    }
}
