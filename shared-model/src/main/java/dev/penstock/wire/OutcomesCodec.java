package dev.penstock.wire;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.penstock.model.DurationSketch;
import dev.penstock.model.Outcome;
import dev.penstock.model.Outcomes;
import dev.penstock.wire.proto.OutcomeCount;
import dev.penstock.wire.proto.Sketch;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** {@link Outcomes} on the wire. */
public final class OutcomesCodec {
    private static final String RECORD = "outcomes";
    private static final int QUARANTINED = 1;
    private static final int FLOWING = 2;

    private OutcomesCodec() {}

    public static byte[] encode(Outcomes outcomes) {
        var builder = dev.penstock.wire.proto.Outcomes.newBuilder().setHeader(HeaderCodec.toProto(outcomes.header()));
        for (var replica : outcomes.replicas()) builder.addReplicas(toProto(replica));
        return builder.build().toByteArray();
    }

    public static Outcomes decode(byte[] bytes) throws MalformedRecordException {
        try {
            var proto = dev.penstock.wire.proto.Outcomes.parseFrom(bytes);
            List<Outcomes.ReplicaOutcomes> replicas = new ArrayList<>(proto.getReplicasCount());
            for (var replica : proto.getReplicasList()) replicas.add(fromProto(replica));
            return new Outcomes(HeaderCodec.fromProto(proto.getHeader(), RECORD), replicas);
        } catch (InvalidProtocolBufferException e) {
            throw new MalformedRecordException(RECORD, e);
        }
    }

    private static dev.penstock.wire.proto.ReplicaOutcomes toProto(Outcomes.ReplicaOutcomes replica) {
        var builder = dev.penstock.wire.proto.ReplicaOutcomes.newBuilder()
                .setNumber(replica.number())
                .setConnectFailures(replica.connectFailures())
                .setTtft(toProto(replica.ttft()))
                .setLatency(toProto(replica.latency()))
                .setOutputEvents(replica.outputEvents())
                .setFlags((replica.quarantined() ? QUARANTINED : 0) | (replica.flowing() ? FLOWING : 0));
        for (Outcome outcome : Outcome.values()) {
            Integer count = replica.counts().get(outcome);
            if (count != null) {
                builder.addCounts(
                        OutcomeCount.newBuilder().setOutcome(toProto(outcome)).setCount(count));
            }
        }
        return builder.build();
    }

    private static Outcomes.ReplicaOutcomes fromProto(dev.penstock.wire.proto.ReplicaOutcomes proto)
            throws MalformedRecordException {
        Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);
        for (var count : proto.getCountsList()) {
            counts.merge(fromProto(count.getOutcome()), count.getCount(), Integer::sum);
        }
        return new Outcomes.ReplicaOutcomes(
                proto.getNumber(),
                counts,
                proto.getConnectFailures(),
                fromProto(proto.getTtft()),
                fromProto(proto.getLatency()),
                proto.getOutputEvents(),
                (proto.getFlags() & QUARANTINED) != 0,
                (proto.getFlags() & FLOWING) != 0);
    }

    private static Sketch toProto(DurationSketch sketch) {
        var builder = Sketch.newBuilder();
        for (int bucket = 0; bucket < DurationSketch.BUCKETS; bucket++) {
            if (sketch.count(bucket) != 0) {
                builder.addBuckets(bucket).addCounts(sketch.count(bucket));
            }
        }
        return builder.build();
    }

    private static DurationSketch fromProto(Sketch proto) throws MalformedRecordException {
        if (proto.getBucketsCount() != proto.getCountsCount()) {
            throw new MalformedRecordException(
                    RECORD, proto.getBucketsCount() + " sketch buckets but " + proto.getCountsCount() + " counts");
        }
        DurationSketch sketch = new DurationSketch();
        for (int i = 0; i < proto.getBucketsCount(); i++) {
            int bucket = proto.getBuckets(i);
            if (bucket < 0 || bucket >= DurationSketch.BUCKETS) {
                throw new MalformedRecordException(
                        RECORD, "sketch bucket " + bucket + ", expected below " + DurationSketch.BUCKETS);
            }
            sketch.add(bucket, proto.getCounts(i));
        }
        return sketch;
    }

    private static dev.penstock.wire.proto.Outcome toProto(Outcome outcome) {
        return switch (outcome) {
            case UNKNOWN -> dev.penstock.wire.proto.Outcome.OUTCOME_UNKNOWN;
            case OK -> dev.penstock.wire.proto.Outcome.OUTCOME_OK;
            case CLIENT_ERROR -> dev.penstock.wire.proto.Outcome.OUTCOME_CLIENT_ERROR;
            case CLIENT_ABORT -> dev.penstock.wire.proto.Outcome.OUTCOME_CLIENT_ABORT;
            case BACKPRESSURE -> dev.penstock.wire.proto.Outcome.OUTCOME_BACKPRESSURE;
            case DEADLINE -> dev.penstock.wire.proto.Outcome.OUTCOME_DEADLINE;
            case REPLICA_ERROR -> dev.penstock.wire.proto.Outcome.OUTCOME_REPLICA_ERROR;
            case INCOMPLETE_STREAM -> dev.penstock.wire.proto.Outcome.OUTCOME_INCOMPLETE_STREAM;
            case STALLED -> dev.penstock.wire.proto.Outcome.OUTCOME_STALLED;
        };
    }

    private static Outcome fromProto(dev.penstock.wire.proto.Outcome outcome) {
        return switch (outcome) {
            case OUTCOME_UNKNOWN, UNRECOGNIZED -> Outcome.UNKNOWN;
            case OUTCOME_OK -> Outcome.OK;
            case OUTCOME_CLIENT_ERROR -> Outcome.CLIENT_ERROR;
            case OUTCOME_CLIENT_ABORT -> Outcome.CLIENT_ABORT;
            case OUTCOME_BACKPRESSURE -> Outcome.BACKPRESSURE;
            case OUTCOME_DEADLINE -> Outcome.DEADLINE;
            case OUTCOME_REPLICA_ERROR -> Outcome.REPLICA_ERROR;
            case OUTCOME_INCOMPLETE_STREAM -> Outcome.INCOMPLETE_STREAM;
            case OUTCOME_STALLED -> Outcome.STALLED;
        };
    }
}
