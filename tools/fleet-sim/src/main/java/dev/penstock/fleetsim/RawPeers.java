package dev.penstock.fleetsim;

import dev.penstock.model.InflightVector;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** What the other routers published last, as it was said: nothing is corrected for age, and the dead are never forgotten. */
final class RawPeers {
    private final Map<String, Peer> peers = new HashMap<>();
    private int[] sums = new int[64];

    private static final class Peer {
        long incarnation;
        long sequence;
        int[] counts = new int[64];
    }

    void apply(InflightVector vector) {
        Peer peer = peers.computeIfAbsent(vector.header().producer(), p -> new Peer());
        long incarnation = vector.header().incarnation();
        if (incarnation < peer.incarnation) return;
        if (incarnation == peer.incarnation && vector.header().sequence() <= peer.sequence) return;
        if (vector.full() || incarnation > peer.incarnation) {
            for (int number = 0; number < peer.counts.length; number++) set(peer, number, 0);
        }
        peer.incarnation = incarnation;
        peer.sequence = vector.header().sequence();
        for (int i = 0; i < vector.numbers().length; i++) set(peer, vector.numbers()[i], vector.counts()[i]);
    }

    private void set(Peer peer, int number, int count) {
        if (number >= peer.counts.length) peer.counts = Arrays.copyOf(peer.counts, 2 * number);
        if (number >= sums.length) sums = Arrays.copyOf(sums, 2 * number);
        sums[number] += count - peer.counts[number];
        peer.counts[number] = count;
    }

    int at(int number) {
        return number < sums.length ? sums[number] : 0;
    }
}
