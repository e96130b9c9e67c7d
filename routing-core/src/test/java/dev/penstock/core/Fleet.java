package dev.penstock.core;

import dev.penstock.core.view.FleetView;
import dev.penstock.model.Header;
import dev.penstock.model.InflightVector;
import dev.penstock.model.RosterRecord;
import dev.penstock.model.Sample;
import dev.penstock.model.Shards;
import dev.penstock.model.TelemetryFrame;
import dev.penstock.testkit.record.ReplicaBuilder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A small fleet as its roster owner, its collector and its routers would describe it. */
public final class Fleet {
    public static final String MODEL = "sim/llama";
    public static final long MS = 1_000_000;

    public final FleetView view = new FleetView("router-0", 1);
    private final Map<Integer, Long> sequences = new HashMap<>();
    private long vectorSequence;

    public static RosterRecord roster(int number, String uid, boolean gone) {
        ReplicaBuilder replica = ReplicaBuilder.replica(number).uid(uid).serving(MODEL);
        return gone ? replica.gone() : replica.present();
    }

    /** Replicas 1..count, each seen FRESH at the time. */
    public static Fleet fresh(int count, long nowNanos) {
        Fleet fleet = new Fleet();
        for (int number = 1; number <= count; number++) fleet.view.apply(roster(number, "u", false));
        fleet.sampleAll(count, nowNanos - 100 * MS);
        fleet.sampleAll(count, nowNanos);
        return fleet;
    }

    public void sampleAll(int count, long nowNanos) {
        for (int shard = 0; shard < Shards.COUNT; shard++) {
            List<Sample> samples = new ArrayList<>();
            for (int number = 1; number <= count; number++) {
                if (Shards.of(number) == shard) samples.add(sample(number, 0));
            }
            if (!samples.isEmpty()) view.apply(frame(shard, true, new BitSet(), samples, nowNanos), nowNanos);
        }
    }

    public static Sample sample(int number, long ageMicros) {
        return new Sample(number, 1, 0, 100_000, 1, 0, ageMicros, 50, 0);
    }

    public TelemetryFrame frame(int shard, boolean full, BitSet unchanged, List<Sample> samples, long sendNanos) {
        long sequence = sequences.merge(shard, 1L, Long::sum);
        return new TelemetryFrame(
                new Header("collector", 5, sequence, -1, sendNanos), shard, full, unchanged, 0, samples);
    }

    public void lose(int shard) {
        sequences.merge(shard, 1L, Long::sum);
    }

    public void peer(String router, int number, int count, long nowNanos) {
        Header header = new Header(router, 77, ++vectorSequence, -1, nowNanos);
        view.apply(new InflightVector(header, 1, true, new int[] {number}, new int[] {count}, List.of()), nowNanos);
    }
}
