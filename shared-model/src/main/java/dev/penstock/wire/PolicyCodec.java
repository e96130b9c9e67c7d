package dev.penstock.wire;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.penstock.model.LoadTerms;
import dev.penstock.model.PolicyRecord;
import dev.penstock.model.SessionNames;
import dev.penstock.wire.proto.RateShare;

/** {@link PolicyRecord} on the wire. */
public final class PolicyCodec {
    private static final String RECORD = "policy record";

    private PolicyCodec() {}

    public static byte[] encode(PolicyRecord record) {
        var builder = dev.penstock.wire.proto.PolicyRecord.newBuilder()
                .setHeader(HeaderCodec.toProto(record.header()))
                .setModel(record.model())
                .addAllAliases(record.aliases())
                .setStrategy(record.strategies().own())
                .addAllClientStrategies(record.strategies().client())
                .setRoutableReplicas(record.routableReplicas())
                .setVersion(record.version())
                .setGone(record.gone());
        if (record.milliRpsPerReplica() != null) builder.setMilliRpsPerReplica(record.milliRpsPerReplica());
        setParameters(builder, record.strategies());
        for (var share : record.shares()) {
            builder.addShares(RateShare.newBuilder().setRouter(share.router()).setMilliRps(share.milliRps()));
        }
        return builder.build().toByteArray();
    }

    public static PolicyRecord decode(byte[] bytes) throws MalformedRecordException {
        try {
            var proto = dev.penstock.wire.proto.PolicyRecord.parseFrom(bytes);
            return new PolicyRecord(
                    HeaderCodec.fromProto(proto.getHeader(), RECORD),
                    proto.getModel(),
                    proto.getAliasesList(),
                    strategies(proto),
                    proto.hasMilliRpsPerReplica() ? proto.getMilliRpsPerReplica() : null,
                    proto.getRoutableReplicas(),
                    proto.getSharesList().stream()
                            .map(share -> new PolicyRecord.RateShare(share.getRouter(), share.getMilliRps()))
                            .toList(),
                    proto.getVersion(),
                    proto.getGone());
        } catch (InvalidProtocolBufferException | IllegalArgumentException e) {
            throw new MalformedRecordException(RECORD, e);
        }
    }

    private static void setParameters(
            dev.penstock.wire.proto.PolicyRecord.Builder builder, PolicyRecord.Strategies strategies) {
        if (strategies.k() != null) builder.setStrategyK(strategies.k());
        if (strategies.epsilonMilli() != null) builder.setStrategyEpsilonMilli(strategies.epsilonMilli());
        if (strategies.slowStartMillis() != null) builder.setSlowStartMillis(strategies.slowStartMillis());
        SessionNames session = strategies.session();
        if (session != null) {
            builder.setSession(dev.penstock.wire.proto.SessionNames.newBuilder()
                    .addAllHeaders(session.headers())
                    .addAllFields(session.fields()));
        }
        builder.setPrefixMode(strategies.prefixMode());
        LoadTerms terms = strategies.loadTerms();
        if (terms != null) {
            builder.setLoadTerms(dev.penstock.wire.proto.LoadTerms.newBuilder()
                    .setQueuedWeight(terms.queuedWeight())
                    .setKvPressureAlpha(terms.kvPressureAlpha())
                    .setKvCriticalFree(terms.kvCriticalFree()));
        }
        if (strategies.relay() != null) builder.setRelay(RelayCodec.toProto(strategies.relay()));
    }

    private static PolicyRecord.Strategies strategies(dev.penstock.wire.proto.PolicyRecord proto) {
        return new PolicyRecord.Strategies(
                proto.getStrategy(),
                proto.hasStrategyK() ? proto.getStrategyK() : null,
                proto.hasStrategyEpsilonMilli() ? proto.getStrategyEpsilonMilli() : null,
                proto.getClientStrategiesList(),
                proto.hasSlowStartMillis() ? proto.getSlowStartMillis() : null,
                proto.hasSession() ? session(proto.getSession()) : null,
                proto.getPrefixMode(),
                proto.hasLoadTerms() ? loadTerms(proto.getLoadTerms()) : null,
                proto.hasRelay() ? RelayCodec.fromProto(proto.getRelay()) : null);
    }

    private static LoadTerms loadTerms(dev.penstock.wire.proto.LoadTerms proto) {
        return new LoadTerms(proto.getQueuedWeight(), proto.getKvPressureAlpha(), proto.getKvCriticalFree());
    }

    private static SessionNames session(dev.penstock.wire.proto.SessionNames proto) {
        return new SessionNames(proto.getHeadersList(), proto.getFieldsList());
    }
}
