package dev.penstock.benchmarks;

import dev.penstock.core.view.FleetView;
import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.model.Header;
import dev.penstock.model.InflightVector;
import dev.penstock.model.Replica;
import dev.penstock.model.RosterRecord;
import dev.penstock.model.Sample;
import dev.penstock.model.Shards;
import dev.penstock.model.TelemetryFrame;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A router's view of N replicas in service: one pool of three speeds, each replica seen FRESH with a part of its KV cache in
 * use, two peers with up to eight requests at each.
 * Its clock stands still, so that telemetry stays as old as it is.
 */
final class Fleet {
    static final String MODEL = "bench/llm";
    static final long NOW = 1_000_000_000_000L;

    private static final String UID = "u";
    private static final long SAMPLE_AGO_NANOS = 40_000_000;
    private static final List<String> PEERS = List.of("router-1", "router-2");
    private static final int MOST_AT_A_PEER = 8;
    private static final int KV_PARTS = 7;
    private static final int SPEEDS = 3;

    final int replicas;
    final FleetView view = new FleetView("router-0", 1);

    Fleet(int replicas) {
        this.replicas = replicas;
        for (int number = 1; number <= replicas; number++) view.apply(roster(number));
        sampleAll(1, NOW - 2 * SAMPLE_AGO_NANOS);
        sampleAll(2, NOW - SAMPLE_AGO_NANOS);
        SplittableRandom random = new SplittableRandom(replicas);
        for (String peer : PEERS) view.apply(vector(peer, random), NOW);
        // Once to know the pool, and again to weigh its replicas by that.
        refresh();
        refresh();
    }

    /** What the view's writer does several times a second. */
    void refresh() {
        view.refresh(NOW);
    }

    ReplicaEntry replica(int number) {
        ReplicaEntry entry = view.current().byNumber(number);
        if (entry == null) throw new IllegalStateException("no replica " + number + " of " + replicas);
        return entry;
    }

    private static RosterRecord roster(int number) {
        Replica replica = Replica.serving(MODEL, "replica-" + number, number, UID, "http://127.0.0.1:1");
        return new RosterRecord(
                new Header("bench", 0, number, Header.NO_EPOCH, 0), replica, false, number, RosterRecord.AGE_UNKNOWN);
    }

    private void sampleAll(long sequence, long nowNanos) {
        List<List<Sample>> shards = new ArrayList<>();
        for (int shard = 0; shard < Shards.COUNT; shard++) shards.add(new ArrayList<>());
        for (int number = 1; number <= replicas; number++) {
            shards.get(Shards.of(number))
                    .add(new Sample(
                            number, 1, 0, number % KV_PARTS * 100_000, 1, number % SPEEDS * 6_000 + 6_000, 0, 50, 0));
        }
        for (int shard = 0; shard < Shards.COUNT; shard++) {
            Header header = new Header("collector", 5, sequence, Header.NO_EPOCH, nowNanos);
            view.apply(new TelemetryFrame(header, shard, true, new BitSet(), 0, shards.get(shard)), nowNanos);
        }
    }

    private InflightVector vector(String peer, SplittableRandom random) {
        int[] numbers = new int[replicas];
        int[] counts = new int[replicas];
        for (int i = 0; i < replicas; i++) {
            numbers[i] = i + 1;
            counts[i] = random.nextInt(MOST_AT_A_PEER + 1);
        }
        Header header = new Header(peer, 77, 1, Header.NO_EPOCH, NOW);
        return new InflightVector(header, 1, true, numbers, counts, List.of());
    }
}
