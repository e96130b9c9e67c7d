package dev.penstock.core.view;

import dev.penstock.core.feed.FrameGate;
import dev.penstock.model.InflightVector;
import dev.penstock.model.PoolId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the other routers are taken to have in flight. A published count is old by the time it is read and every router reads
 * the same ones, so acting on them in full sends everybody to the same few replicas: peers' counts <em>keep a router away</em>
 * from replicas where they have more than their share, and never draw it to those where they have less.
 *
 * <pre>
 *   m_h     = peer h's requests in the pool / replicas of the pool          its fair share of a replica of mean capacity;
 *             one of another capacity has so many times that
 *   w_h     = exp(-age_h / S)          autocorrelation of a count in M/M/inf; S = the pool's service time, 50 ms at least
 *   noise   = sqrt(sum_h m_h (1 - w_h^2))           what the counts may have changed by since, one standard deviation
 *   rem_i   = sum_h m_h + max(0, sum_h (published_h,i - m_h) w_h - noise)
 * </pre>
 *
 * Between two snapshots peers presumably did half of what this router did since, in proportion to what arrives at them
 * ({@link HotRow#peersMilli}). A silent router's counts fade from three periods (300 ms) after its last record, with a
 * time constant of 1 s, and are gone after 3 s: its requests may be too, and a hint for balance is all they are. One writer.
 */
final class PeerCounts {
    private static final long QUIET_NANOS = 300_000_000L;
    /** Looked at each 100 ms, and the last record was on its way: gone for the reader within 3 s of the death. */
    private static final long GONE_NANOS = 2_800_000_000L;

    private static final double FADE_NANOS = 1e9;

    /** What a vector says stands until the next one comes: half a period later on average. */
    private static final long HALF_PERIOD_NANOS = 50_000_000L;

    /** Routers, their restarts within 3 s included. */
    private static final int MOST_PEERS = 64;

    /**
     * Names of which is remembered what was read, longest after they were heard of: a copy that comes when the counts are gone
     * must not bring them back.
     */
    private static final int MOST_GATES = 4 * MOST_PEERS;

    private static final double EXTRAPOLATED = 0.5;

    private final long ownIncarnation;
    private final @Nullable Peer[] peers = new Peer[MOST_PEERS];
    private final Map<String, Peer> byName = new HashMap<>();
    private final Map<String, FrameGate> nameToGate = new LinkedHashMap<>(16, 0.75f, true);
    private final ArrivalShares arrivals = new ArrivalShares();
    private final List<ReplicaEntry> changed = new ArrayList<>();

    PeerCounts(long ownIncarnation) {
        this.ownIncarnation = ownIncarnation;
    }

    /** What one peer has in one pool. */
    private static final class InPool {
        long total;
        double shareMilli;
        double kept;
        double varianceMilli;
    }

    private static final class Peer {
        final String name;
        final int place;
        final Map<PoolId, InPool> poolToCounts = new HashMap<>();
        boolean heard;
        long incarnation;
        /** About when its last vector was sent, by the reader's clock. */
        long sentNanos;

        double fade = 1;

        Peer(String name, int place) {
            this.name = name;
            this.place = place;
        }

        long ageNanos(long nowNanos) {
            return nowNanos - sentNanos;
        }

        double weight(long nowNanos) {
            long age = ageNanos(nowNanos);
            if (age <= QUIET_NANOS) return 1;
            return age >= GONE_NANOS ? 0 : Math.exp(-(age - QUIET_NANOS) / FADE_NANOS);
        }

        InPool in(PoolId pool) {
            return poolToCounts.computeIfAbsent(pool, p -> new InPool());
        }
    }

    /** Books what a vector says. Replicas whose count it changes are estimated at once, all others with the next sweep. */
    void apply(InflightVector vector, RosterImage image, long receiveNanos) {
        String producer = vector.header().producer();
        long incarnation = vector.header().incarnation();
        FrameGate gate = gate(producer);
        FrameGate.Admission admission = gate.admit(vector.header(), vector.full(), receiveNanos);
        if (admission == FrameGate.Admission.DROPPED) return;
        if (admission == FrameGate.Admission.FIRST) arrivals.otherLife(producer);
        if (incarnation == ownIncarnation) {
            arrivals.own(producer);
            arrivals.heard(vector, receiveNanos);
            return;
        }
        Peer peer = peer(producer);
        if (peer == null) return;
        arrivals.heard(vector, receiveNanos);
        long sentNanos = receiveNanos - gate.excessNanos();
        // Counts are absolute, so a delta after a gap is right in what it says; the next full one repairs the rest.
        boolean anew = !peer.heard || peer.incarnation != incarnation;
        // A late one of the life before says nothing of the present one.
        if (peer.heard && anew && sentNanos - peer.sentNanos < 0) return;
        peer.heard = true;
        peer.incarnation = incarnation;
        peer.sentNanos = sentNanos;
        if (anew) forget(peer, image);
        changed.clear();
        book(peer, vector, image);
        if (vector.full() && !complete(peer, vector, image)) {
            anew = true;
            forget(peer, image);
            book(peer, vector, image);
        }
        if (anew) share(peer, image);
        weigh(peer, image, receiveNanos);
        if (anew) {
            changed.clear();
            changed.addAll(image.entries());
        }
        for (ReplicaEntry entry : changed) {
            PoolLoad pool = image.pools().get(entry.replica().pool());
            estimate(entry, pool == null ? 1 : pool.fairPart(entry.cell().capacity()));
            entry.cell().changed();
        }
    }

    private FrameGate gate(String producer) {
        FrameGate gate = nameToGate.computeIfAbsent(producer, name -> new FrameGate());
        if (nameToGate.size() > MOST_GATES)
            nameToGate.remove(nameToGate.keySet().iterator().next());
        return gate;
    }

    private void book(Peer peer, InflightVector vector, RosterImage image) {
        for (int i = 0; i < vector.numbers().length; i++) {
            ReplicaEntry entry = image.byNumber(vector.numbers()[i]);
            if (entry == null) continue;
            int before = entry.cell().published(peer.place);
            int count = vector.counts()[i];
            if (count == before) continue;
            peer.in(entry.replica().pool()).total += count - before;
            entry.cell().published(peer.place, count);
            changed.add(entry);
        }
    }

    /** A full vector names all that are not zero: true when nothing is booked that it does not name. */
    private static boolean complete(Peer peer, InflightVector vector, RosterImage image) {
        Map<PoolId, Long> poolToNamed = new HashMap<>();
        for (int i = 0; i < vector.numbers().length; i++) {
            ReplicaEntry entry = image.byNumber(vector.numbers()[i]);
            if (entry != null) poolToNamed.merge(entry.replica().pool(), (long) vector.counts()[i], Long::sum);
        }
        // By pool: a replica that changed its own took its count along.
        for (var booked : peer.poolToCounts.entrySet()) {
            if (booked.getValue().total != poolToNamed.getOrDefault(booked.getKey(), 0L)) return false;
            poolToNamed.remove(booked.getKey());
        }
        return poolToNamed.values().stream().allMatch(named -> named == 0);
    }

    private static void forget(Peer peer, RosterImage image) {
        peer.poolToCounts.clear();
        for (ReplicaEntry entry : image.entries()) entry.cell().published(peer.place, 0);
    }

    private @Nullable Peer peer(String name) {
        Peer known = byName.get(name);
        if (known != null) return known;
        for (int place = 0; place < MOST_PEERS; place++) {
            if (peers[place] != null) continue;
            Peer peer = new Peer(name, place);
            peers[place] = peer;
            byName.put(name, peer);
            return peer;
        }
        return null;
    }

    /** Before a sweep over the image: drops peers that are gone and weighs the others anew. */
    void begin(RosterImage image, long nowNanos) {
        for (int place = 0; place < MOST_PEERS; place++) {
            Peer peer = peers[place];
            if (peer == null) continue;
            if (peer.weight(nowNanos) == 0) {
                forget(peer, image);
                peers[place] = null;
                byName.remove(peer.name);
                arrivals.forget(peer.name);
            } else {
                share(peer, image);
                weigh(peer, image, nowNanos);
            }
        }
        image.pools().forEach((id, pool) -> pool.peers((int) fairMilli(id), perRequestMilli(id, nowNanos)));
    }

    private static void weigh(Peer peer, RosterImage image, long nowNanos) {
        peer.fade = peer.weight(nowNanos);
        double age = Math.max(0, peer.ageNanos(nowNanos)) + HALF_PERIOD_NANOS;
        peer.poolToCounts.forEach((id, counts) -> {
            PoolLoad pool = image.pools().get(id);
            if (pool == null) return;
            double correlation = Math.exp(-age / pool.serviceNanos());
            counts.kept = peer.fade * correlation;
            counts.varianceMilli = peer.fade * counts.shareMilli * (1 - correlation * correlation);
        });
    }

    /** Fair shares change for all replicas at once, so that one that a vector names is not taken for more loaded by that. */
    private static void share(Peer peer, RosterImage image) {
        peer.poolToCounts.forEach((id, counts) -> {
            PoolLoad pool = image.pools().get(id);
            if (pool != null) counts.shareMilli = (double) counts.total * HotRow.MILLI / pool.replicas();
        });
    }

    private double fairMilli(PoolId pool) {
        double sum = 0;
        for (Peer peer : byName.values()) {
            InPool counts = peer.poolToCounts.get(pool);
            if (counts != null) sum += peer.fade * counts.shareMilli;
        }
        return sum;
    }

    /** Works out what peers are taken to have at a replica and writes it into its cell. */
    void estimate(ReplicaEntry entry, double fairPart) {
        double fair = 0;
        double beyond = 0;
        double variance = 0;
        for (Peer peer : byName.values()) {
            InPool counts = peer.poolToCounts.get(entry.replica().pool());
            if (counts == null) continue;
            double share = counts.shareMilli * fairPart;
            fair += peer.fade * share;
            double published = entry.cell().published(peer.place) * (double) HotRow.MILLI;
            beyond += (published - share) * counts.kept;
            variance += counts.varianceMilli * fairPart;
        }
        double sure = Math.max(0, beyond - Math.sqrt(variance * HotRow.MILLI));
        entry.cell().row().peers((int) Math.round(Math.min(fair + sure, Integer.MAX_VALUE)));
    }

    private int perRequestMilli(PoolId pool, long nowNanos) {
        double sum = 0;
        for (Peer peer : byName.values()) {
            if (peer.weight(nowNanos) == 1) sum += arrivals.ratioToOwn(peer.name, pool);
        }
        return (int) (EXTRAPOLATED * HotRow.MILLI * sum);
    }

    /** Peers whose counts count still: a pause of Kafka's is no reason to take their part of a new replica. */
    int known(long nowNanos) {
        int known = 0;
        for (Peer peer : byName.values()) if (peer.weight(nowNanos) > 0) known++;
        return known;
    }
}
