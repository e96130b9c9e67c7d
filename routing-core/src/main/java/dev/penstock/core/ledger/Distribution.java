package dev.penstock.core.ledger;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Who gets the slots of one pool. Slots live at holders, so that they admit without asking anyone; each period they move towards
 * their {@link Shares}, in between a slot that comes home goes to whoever waits for one, and an ASK brings a spare one home.
 *
 * <p>A slot that nobody waits for moves only for a holder that is more than max(1, 10 % of the limit) short. Where not all needs
 * fit, at most that many slots of a replica are on recall at a time. {@link OwnerBook} stays the judge of every grant; nothing
 * here can break a limit. One thread, the owner's.
 */
public final class Distribution {
    public static final long PERIOD_NANOS = 100_000_000L;

    private static final double HYSTERESIS = 0.1;

    private final OwnerBook book;
    private final RandomGenerator random;
    private final Moves moves;
    private final Shares shares = new Shares();
    private final List<Standing> holders = new ArrayList<>();
    private final Waiters waitersByReplica = new Waiters();
    private boolean[] scarce = {};
    private int replicas;
    private boolean someHome;

    public Distribution(OwnerBook book, RandomGenerator random, Moves moves) {
        this.book = book;
        this.random = random;
        this.moves = moves;
    }

    /** Replicas are numbered from 0 to below this. */
    public void replicas(int count) {
        replicas = Math.max(replicas, count);
        for (Standing each : holders) each.grow(replicas);
        scarce = Arrays.copyOf(scarce, replicas);
    }

    /** After {@link OwnerBook#forgetReplica}: the index stands for another one. */
    public void forgotten(int replica) {
        for (Standing each : holders) each.forget(replica);
    }

    /** Its SYNC was welcome, which cleared its recalls. What it holds counts as used until it reports. */
    public void joined(HolderId id) {
        left(id);
        Standing holder = new Standing(id);
        holder.grow(replicas);
        for (int i = 0; i < replicas; i++) holder.used[i] = book.out(id, i);
        holders.add(holder);
        // All owners agree where a slot rests.
        holders.sort(Comparator.comparing((Standing each) -> each.id.name()).thenComparing(each -> each.id.nonce()));
    }

    /** It is gone, or its stream is: told before the book refuses it, or slots would wait at home for it. */
    public void left(HolderId id) {
        holders.removeIf(each -> each.id.equals(id));
    }

    /**
     * Each period.
     *
     * @param used by replica
     * @param waiters requests without a slot
     * @param arrivals requests since the last report
     */
    public void reported(HolderId id, int[] used, int waiters, int arrivals) {
        Standing holder = standing(id);
        if (holder == null) return;
        holder.arrived(arrivals);
        holder.waiters = waiters;
        holder.spare = 0;
        for (int i = 0; i < replicas; i++) {
            holder.used[i] = i < used.length ? used[i] : 0;
            holder.spare += holder.spare(i, book.out(id, i));
        }
        // What was recalled and has not come was used after all, or will come as well.
        for (Standing each : holders) each.coming = 0;
        for (Standing each : holders) seek(each);
    }

    /** So many more requests there have no slot. */
    public void asked(HolderId id, int more) {
        Standing holder = standing(id);
        if (holder == null) return;
        holder.waiters += more;
        seek(holder);
    }

    /** Returns false for what is void. */
    public boolean returned(HolderId id, long session, int replica, int slots) {
        if (!book.returned(id, session, replica, slots)) return false;
        settle(replica);
        return true;
    }

    /** Each period. */
    public void rebalance() {
        someHome = false;
        if (holders.isEmpty()) return;
        waitersByReplica.spread(book, holders, replicas);
        for (Standing each : holders) each.startPlan();
        for (int i = 0; i < replicas; i++) plan(i);
        for (int i = 0; i < replicas; i++) {
            recall(i);
            settle(i);
        }
    }

    /** The slots of a replica that are these holders' or may become so. */
    private int available(int replica) {
        if (book.isResting(replica)) return 0;
        int home = book.home(replica);
        int available = home < 0 ? home : book.grantable(replica);
        for (Standing each : holders) available += book.out(each.id, replica);
        return Math.max(0, available);
    }

    private void plan(int replica) {
        int slots = available(replica);
        shares.of(holders.size());
        for (int g = 0; g < holders.size(); g++) {
            Standing holder = holders.get(g);
            shares.holder(g, need(holder, replica), holder.weight());
        }
        scarce[replica] = !shares.divide(slots, replica % holders.size());
        shares.round(slots, random);
        for (int g = 0; g < holders.size(); g++) {
            Standing holder = holders.get(g);
            holder.plan(replica, shares.share(g), shares.target(g), book.out(holder.id, replica));
        }
    }

    private double need(Standing holder, int replica) {
        return holder.used[replica] + waitersByReplica.at(replica, holder.waiters);
    }

    private void recall(int replica) {
        int wanted = -book.grantable(replica);
        for (Standing each : holders) wanted += wanted(each, replica);
        int most = scarce[replica] ? threshold(replica) : SlotCell.MOST;
        recall(replica, overdrawn(replica) + Math.clamp(wanted, 0, most));
    }

    private int wanted(Standing holder, int replica) {
        int out = book.out(holder.id, replica);
        int missing = holder.target[replica] - out;
        boolean waits =
                holder.isLean() || need(holder, replica) > out || out == 0 && book.limit(replica) >= holders.size();
        return missing > (waits ? 0 : threshold(replica)) ? missing : 0;
    }

    private int threshold(int replica) {
        return Math.max(1, (int) (HYSTERESIS * book.limit(replica)));
    }

    /** Out above a lowered limit, or at a replica that drains or thaws. */
    private int overdrawn(int replica) {
        if (!book.isResting(replica)) return Math.max(0, -book.home(replica));
        int out = 0;
        for (Standing each : holders) out += book.out(each.id, replica);
        return out;
    }

    /** From those that have most above their target; what was on recall and is not among it may be kept. */
    private void recall(int replica, int slots) {
        int left = slots;
        for (Standing each : holders) each.recalled = 0;
        while (left > 0) {
            Standing giver = richest(replica);
            if (giver == null) break;
            giver.recalled = Math.min(left, surplus(giver, replica));
            left -= giver.recalled;
        }
        for (Standing each : holders) {
            int out = book.out(each.id, replica);
            if (each.recalled > 0) keep(each, replica, out - each.recalled);
            else if (each.keep[replica] < out) keep(each, replica, SlotCell.MOST);
        }
    }

    private int surplus(Standing holder, int replica) {
        return book.out(holder.id, replica) - holder.target[replica];
    }

    private @Nullable Standing richest(int replica) {
        Standing richest = null;
        for (Standing each : holders) {
            if (each.recalled > 0 || surplus(each, replica) <= 0) continue;
            if (richest == null || surplus(each, replica) > surplus(richest, replica)) richest = each;
        }
        return richest;
    }

    private void keep(Standing holder, int replica, int slots) {
        if (holder.keep[replica] == slots) return;
        int out = book.out(holder.id, replica);
        holder.spare -= holder.spare(replica, out);
        holder.keep[replica] = slots;
        holder.spare += holder.spare(replica, out);
        moves.recall(holder.id, replica, slots);
    }

    /** Grants what is home: to who waits, else to who is furthest below its target. */
    private void settle(int replica) {
        for (int home = book.grantable(replica); home > 0; home = book.grantable(replica)) {
            Standing taker = taker(replica);
            if (taker == null
                    || !grant(taker, replica, taker.waiters > 0 ? 1 : Math.min(home, -surplus(taker, replica)))) {
                someHome = true;
                return;
            }
        }
    }

    private @Nullable Standing taker(int replica) {
        Standing taker = null;
        for (Standing each : holders) {
            if (each.waiters == 0 && surplus(each, replica) >= 0) continue;
            if (taker == null || before(each, taker, replica)) taker = each;
        }
        return taker;
    }

    private boolean before(Standing one, Standing other, int replica) {
        if (one.waiters > 0 != other.waiters > 0) return one.waiters > 0;
        return surplus(one, replica) < surplus(other, replica);
    }

    private boolean grant(Standing holder, int replica, int slots) {
        int out = book.out(holder.id, replica);
        if (!book.grant(holder.id, replica, slots)) return false;
        holder.spare -= holder.spare(replica, out);
        if (holder.keep[replica] < out + slots) {
            holder.keep[replica] = SlotCell.MOST;
            moves.recall(holder.id, replica, SlotCell.MOST);
        }
        int taken = Math.min(holder.waiters, slots);
        holder.waiters -= taken;
        holder.coming = Math.max(0, holder.coming - taken);
        holder.used[replica] += taken;
        holder.spare += holder.spare(replica, out + slots);
        moves.grant(holder.id, replica, slots);
        return true;
    }

    /** Slots for waiters that none is on its way to: from home, else what is spare where most is. */
    private void seek(Standing holder) {
        if (someHome && holder.waiters > 0) {
            someHome = false;
            for (int i = 0; i < replicas; i++) settle(i);
        }
        while (holder.coming < holder.waiters && recallSpare(holder)) holder.coming++;
    }

    private boolean recallSpare(Standing asker) {
        Standing giver = null;
        for (Standing each : holders)
            if (each != asker && each.spare > 0 && (giver == null || each.spare > giver.spare)) giver = each;
        if (giver == null) return false;
        for (int tried = 0; tried < replicas; tried++) {
            int replica = giver.cursor;
            giver.cursor = replica + 1 < replicas ? replica + 1 : 0;
            int out = book.out(giver.id, replica);
            if (giver.spare(replica, out) == 0) continue;
            keep(giver, replica, Math.min(out, giver.keep[replica]) - 1);
            return true;
        }
        giver.spare = 0;
        return recallSpare(asker);
    }

    private @Nullable Standing standing(HolderId id) {
        for (Standing each : holders) if (each.id.equals(id)) return each;
        return null;
    }
}
