package dev.penstock.kit.ledger;

import dev.penstock.model.Holder;
import dev.penstock.model.PoolId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is said, as protobuf. A message that is not known here is null: a newer side's. */
final class LedgerMessages {
    private LedgerMessages() {}

    static dev.penstock.kit.ledger.proto.FromHolder toProto(FromHolder message) {
        var builder = dev.penstock.kit.ledger.proto.FromHolder.newBuilder();
        switch (message) {
            case FromHolder.Sync sync ->
                builder.setSync(dev.penstock.kit.ledger.proto.FromHolder.Sync.newBuilder()
                        .setHolderName(sync.holder().name())
                        .setHolderNonce(sync.holder().nonce())
                        .setPoolNamespace(sync.pool().namespace())
                        .setPoolName(sync.pool().name())
                        .setEpoch(sync.epoch())
                        .setSession(sync.session())
                        .addAllNumbers(list(sync.numbers()))
                        .addAllHeld(list(sync.held()))
                        .addAllUsed(list(sync.used()))
                        .setWaiters(sync.waiters()));
            case FromHolder.Returned returned ->
                builder.setReturned(dev.penstock.kit.ledger.proto.FromHolder.Returned.newBuilder()
                        .addAllNumbers(list(returned.numbers()))
                        .addAllSlots(list(returned.slots())));
            case FromHolder.Report report ->
                builder.setReport(dev.penstock.kit.ledger.proto.FromHolder.Report.newBuilder()
                        .addAllNumbers(list(report.numbers()))
                        .addAllUsed(list(report.used()))
                        .setWaiters(report.waiters())
                        .setArrivals(report.arrivals()));
            case FromHolder.Ask ask ->
                builder.setAsk(dev.penstock.kit.ledger.proto.FromHolder.Ask.newBuilder()
                        .setWaiters(ask.waiters()));
        }
        return builder.build();
    }

    static @Nullable FromHolder fromProto(dev.penstock.kit.ledger.proto.FromHolder proto) {
        return switch (proto.getMessageCase()) {
            case SYNC -> {
                var sync = proto.getSync();
                yield new FromHolder.Sync(
                        new Holder(sync.getHolderName(), sync.getHolderNonce()),
                        new PoolId(sync.getPoolNamespace(), sync.getPoolName()),
                        sync.getEpoch(),
                        sync.getSession(),
                        array(sync.getNumbersList()),
                        array(sync.getHeldList()),
                        array(sync.getUsedList()),
                        natural(sync.getWaiters()));
            }
            case RETURNED ->
                new FromHolder.Returned(
                        array(proto.getReturned().getNumbersList()),
                        array(proto.getReturned().getSlotsList()));
            case REPORT ->
                new FromHolder.Report(
                        array(proto.getReport().getNumbersList()),
                        array(proto.getReport().getUsedList()),
                        natural(proto.getReport().getWaiters()),
                        natural(proto.getReport().getArrivals()));
            case ASK -> new FromHolder.Ask(natural(proto.getAsk().getWaiters()));
            case MESSAGE_NOT_SET -> null;
        };
    }

    static dev.penstock.kit.ledger.proto.FromOwner toProto(FromOwner message) {
        var builder = dev.penstock.kit.ledger.proto.FromOwner.newBuilder();
        switch (message) {
            case FromOwner.Welcome welcome ->
                builder.setWelcome(dev.penstock.kit.ledger.proto.FromOwner.Welcome.getDefaultInstance());
            case FromOwner.Refused refused ->
                builder.setRefused(dev.penstock.kit.ledger.proto.FromOwner.Refused.newBuilder()
                        .setReason(refused.reason()));
            case FromOwner.Granted granted ->
                builder.setGranted(dev.penstock.kit.ledger.proto.FromOwner.Granted.newBuilder()
                        .addAllNumbers(list(granted.numbers()))
                        .addAllSlots(list(granted.slots())));
            case FromOwner.Recalled recalled ->
                builder.setRecalled(dev.penstock.kit.ledger.proto.FromOwner.Recalled.newBuilder()
                        .addAllNumbers(list(recalled.numbers()))
                        .addAllTargets(list(recalled.targets())));
        }
        return builder.build();
    }

    static @Nullable FromOwner fromProto(dev.penstock.kit.ledger.proto.FromOwner proto) {
        return switch (proto.getMessageCase()) {
            case WELCOME -> new FromOwner.Welcome();
            case REFUSED -> new FromOwner.Refused(proto.getRefused().getReason());
            case GRANTED ->
                new FromOwner.Granted(
                        array(proto.getGranted().getNumbersList()),
                        array(proto.getGranted().getSlotsList()));
            case RECALLED ->
                new FromOwner.Recalled(
                        array(proto.getRecalled().getNumbersList()),
                        array(proto.getRecalled().getTargetsList()));
            case MESSAGE_NOT_SET -> null;
        };
    }

    private static List<Integer> list(int[] values) {
        List<Integer> list = new ArrayList<>(values.length);
        for (int value : values) list.add(value);
        return list;
    }

    private static int[] array(List<Integer> values) {
        int[] array = new int[values.size()];
        for (int i = 0; i < array.length; i++) array[i] = natural(values.get(i));
        return array;
    }

    /** An unsigned number beyond an int's would come out negative. */
    private static int natural(int value) {
        if (value < 0) throw new IllegalArgumentException("ledger message: " + value + ", expected 0 or more");
        return value;
    }
}
