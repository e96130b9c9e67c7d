package dev.penstock.admission.ledger;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.penstock.core.ledger.OwnerBook;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code /debug/ledger} of one pool: where every slot of a replica is, and what keeps those at home from being granted. */
final class LedgerPage {
    private static final double NANOS_PER_MILLI = 1e6;

    private LedgerPage() {}

    static ObjectNode of(PoolLedger ledger, long nowNanos) {
        ObjectNode page = JsonNodeFactory.instance.objectNode();
        page.put("pool", ledger.pool().toString());
        page.put("epoch", ledger.epoch());
        page.put("factsRead", ledger.areFactsRead());
        List<Holder> holders = new ArrayList<>(ledger.holders());
        holders.sort(Comparator.comparing(holder -> holder.id.toString()));
        ArrayNode holderList = page.putArray("holders");
        for (Holder holder : holders) holderList.add(holder(ledger, holder, nowNanos));
        List<Integer> indexes = new ArrayList<>();
        for (int i = 0; i < ledger.seats().count(); i++) indexes.add(i);
        indexes.sort(Comparator.comparing(index -> ledger.seats().at(index).number));
        ArrayNode replicas = page.putArray("replicas");
        for (int index : indexes) replicas.add(replica(ledger, index, holders));
        return page;
    }

    private static ObjectNode holder(PoolLedger ledger, Holder holder, long nowNanos) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        OwnerBook book = ledger.book();
        node.put("holder", holder.id.toString());
        node.put("state", state(holder, book));
        node.put("session", book.session(holder.id));
        int held = 0;
        int used = 0;
        for (int i = 0; i < ledger.seats().count(); i++) {
            held += book.out(holder.id, i);
            used += used(holder, i);
        }
        node.put("held", held);
        node.put("used", used);
        node.put("waiters", holder.waiters);
        boolean open = holder.follower != null;
        node.put("silentMs", open ? 0 : Math.round((nowNanos - holder.silentSinceNanos) / NANOS_PER_MILLI));
        return node;
    }

    private static String state(Holder holder, OwnerBook book) {
        if (holder.left) return "left";
        if (holder.dead) return "dead";
        if (holder.follower != null) return "connected";
        return holder.presumed && book.session(holder.id) < 0 ? "presumed" : "silent";
    }

    private static int used(Holder holder, int index) {
        return index < holder.used.length ? holder.used[index] : 0;
    }

    private static ObjectNode replica(PoolLedger ledger, int index, List<Holder> holders) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        OwnerBook book = ledger.book();
        Seat seat = ledger.seats().at(index);
        node.put("replica", seat.number);
        node.put("present", seat.present);
        node.put("limit", book.limit(index));
        node.put("home", book.home(index));
        node.put("grantable", book.grantable(index));
        ArrayNode held = node.putArray("held");
        for (Holder holder : holders) {
            int out = book.out(holder.id, index);
            if (out == 0) continue;
            ObjectNode each = held.addObject();
            each.put("holder", holder.id.toString());
            each.put("held", out);
            each.put("used", used(holder, index));
            each.put("frozen", holder.dead);
        }
        ArrayNode blocked = node.putArray("blocked");
        if (!ledger.areFactsRead()) blocked.add("registrations, policies and roster are being read");
        if (!seat.present) blocked.add("not in the roster");
        if (seat.draining) blocked.add("draining");
        if (!seat.formerEndpoints.isEmpty()) blocked.add("slots of it are out since it was at " + seat.formerEndpoints);
        Seat other = ledger.seats().blockedBy(index);
        if (other != null) blocked.add("slots of replica " + other.number + " are out for its endpoint");
        for (Holder holder : holders) {
            String why = blockedBy(ledger, index, holder);
            if (why != null) blocked.add(why);
        }
        return node;
    }

    private static @Nullable String blockedBy(PoolLedger ledger, int index, Holder holder) {
        OwnerBook book = ledger.book();
        if (book.frozen(holder.id, index)) {
            return switch (ledger.thawing().progress(holder.id, index)) {
                case 0 -> holder.id + " is dead; claims are being read before its engine is watched";
                case 1 -> holder.id + " is dead; its engine has not been seen idle";
                default -> holder.id + " is dead; its engine was seen idle once";
            };
        }
        boolean presumed = holder.presumed && !holder.over() && book.session(holder.id) < 0;
        return presumed ? holder.id + " may hold slots and has not reported to this owner" : null;
    }
}
