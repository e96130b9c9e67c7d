package dev.penstock.admission.ledger;

import dev.penstock.core.ledger.HolderId;
import dev.penstock.kit.ledger.FromHolder;
import dev.penstock.kit.ledger.FromOwner;
import dev.penstock.kit.ledger.LedgerReceiver;
import dev.penstock.kit.ledger.LedgerStream;
import dev.penstock.model.PoolId;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One stream of a holder over the network, on its way to the ledger of the pool that its Sync names. One thread. */
final class HolderStream implements LedgerReceiver<FromHolder>, HolderPort {
    private final LedgerStream<FromOwner> stream;
    private final Function<PoolId, @Nullable PoolLedger> owned;
    private @Nullable PoolLedger ledger;
    private @Nullable Follower follower;
    private boolean ended;

    HolderStream(LedgerStream<FromOwner> stream, Function<PoolId, @Nullable PoolLedger> owned) {
        this.stream = stream;
        this.owned = owned;
    }

    @Override
    public void message(FromHolder message) {
        PoolLedger to = ledger;
        Follower from = follower;
        if (message instanceof FromHolder.Sync sync && to == null) sync(sync);
        else if (to == null || from == null) refused(Refusal.MALFORMED);
        else take(to, from, message);
    }

    private void sync(FromHolder.Sync sync) {
        PoolLedger to = owned.apply(sync.pool());
        if (to == null) {
            refused(Refusal.NOT_OWNER);
            return;
        }
        ledger = to;
        HolderId id = new HolderId(sync.holder().name(), sync.holder().nonce());
        Follower from = to.sync(
                this, id, sync.epoch(), sync.session(), sync.numbers(), sync.held(), sync.used(), sync.waiters());
        follower = from;
        // It may have ended while the first messages were sent.
        if (ended) to.ended(from);
    }

    private void take(PoolLedger to, Follower from, FromHolder message) {
        switch (message) {
            case FromHolder.Returned(int[] numbers, int[] slots) -> to.returned(from, numbers, slots);
            case FromHolder.Report(int[] numbers, int[] used, int waiters, int arrivals) ->
                to.reported(from, numbers, used, waiters, arrivals);
            case FromHolder.Ask(int waiters) -> to.asked(from, waiters);
            case FromHolder.Sync again -> {
                to.ended(from);
                refused(Refusal.MALFORMED);
            }
        }
    }

    @Override
    public void ended(String reason) {
        ended = true;
        PoolLedger to = ledger;
        Follower from = follower;
        if (to != null && from != null) to.ended(from);
    }

    @Override
    public void welcome() {
        stream.send(new FromOwner.Welcome());
    }

    @Override
    public void refused(Refusal reason) {
        stream.send(new FromOwner.Refused(reason.name().toLowerCase(Locale.ROOT)));
        stream.close();
    }

    @Override
    public void granted(int[] numbers, int[] slots) {
        stream.send(new FromOwner.Granted(numbers, slots));
    }

    @Override
    public void recalled(int[] numbers, int[] targets) {
        stream.send(new FromOwner.Recalled(numbers, targets));
    }

    @Override
    public void close() {
        stream.close();
    }
}
