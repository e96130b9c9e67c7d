package dev.penstock.wire;

import dev.penstock.model.RelayPolicy;
import dev.penstock.model.RetryOn;
import dev.penstock.wire.proto.Split;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@link RelayPolicy} within a policy record. */
final class RelayCodec {
    private RelayCodec() {}

    static dev.penstock.wire.proto.RelayPolicy toProto(RelayPolicy relay) {
        var builder = dev.penstock.wire.proto.RelayPolicy.newBuilder()
                .setDeadlineMillis(relay.deadlineMillis())
                .setRetryBudget(relay.retryBudget())
                .setCommitAfterMillis(relay.commitAfterMillis())
                .setDefaultMaxTokens(relay.defaultMaxTokens())
                .setFirstByteMillis(relay.firstByteMillis())
                .setIdleMillis(relay.idleMillis());
        for (RetryOn each : relay.retryOn()) builder.addRetryOn(each.text());
        for (RelayPolicy.Split each : relay.split()) {
            builder.addSplit(Split.newBuilder().setModel(each.model()).setWeight(each.weight()));
        }
        return builder.build();
    }

    /** Null for what this version does not understand: the rest of the policy still holds. */
    static @Nullable RelayPolicy fromProto(dev.penstock.wire.proto.RelayPolicy proto) {
        try {
            return new RelayPolicy(
                    proto.getDeadlineMillis(),
                    retryOn(proto),
                    proto.getRetryBudget(),
                    proto.getCommitAfterMillis(),
                    proto.getDefaultMaxTokens(),
                    proto.getSplitList().stream()
                            .map(each -> new RelayPolicy.Split(each.getModel(), each.getWeight()))
                            .toList(),
                    proto.getFirstByteMillis(),
                    proto.getIdleMillis());
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static Set<RetryOn> retryOn(dev.penstock.wire.proto.RelayPolicy proto) {
        Set<RetryOn> known = EnumSet.noneOf(RetryOn.class);
        for (String text : proto.getRetryOnList()) {
            RetryOn each = RetryOn.of(text);
            if (each != null) known.add(each);
        }
        return known;
    }
}
