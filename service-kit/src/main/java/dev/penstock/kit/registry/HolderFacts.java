package dev.penstock.kit.registry;

import dev.penstock.model.Holder;
import dev.penstock.model.LockIdentity;
import dev.penstock.model.PoolId;
import dev.penstock.model.RegistryRecord;
import dev.penstock.wire.MalformedRecordException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was read of each incarnation. Who took a lock last proves dead all who had it before; that stays true when the one who
 * proved it is forgotten. One thread.
 */
final class HolderFacts {
    private static final String LEFT = "/left";
    private static final String DIED = "/died";
    private static final String SETTLED = "/settled/";

    private final Map<Holder, Facts> holders = new LinkedHashMap<>();
    private final Map<LockIdentity, RegistryRecord.Registered> lastByLock = new HashMap<>();

    /** Whom a record was about, directly or not. */
    record Change(List<RegisteredHolder> changed, List<Holder> forgotten) {}

    private static final class Facts {
        private final Holder holder;
        private RegistryRecord.@Nullable Registered registration;
        private RegistryRecord.@Nullable Left left;
        private @Nullable String death;
        private final Map<PoolId, RegistryRecord.Settled> settled = new HashMap<>();

        Facts(Holder holder) {
            this.holder = holder;
        }

        RegisteredHolder known() {
            return new RegisteredHolder(holder, registration, left, death, settled);
        }

        boolean isEmpty() {
            return registration == null && left == null && death == null && settled.isEmpty();
        }
    }

    Collection<RegisteredHolder> all() {
        return holders.values().stream().map(Facts::known).toList();
    }

    @Nullable
    RegisteredHolder of(Holder holder) {
        Facts facts = holders.get(holder);
        return facts == null ? null : facts.known();
    }

    Change record(RegistryRecord.OfHolder record) {
        Facts facts = holders.computeIfAbsent(record.holder(), Facts::new);
        List<RegisteredHolder> changed = new ArrayList<>();
        switch (record) {
            case RegistryRecord.Registered registered -> {
                facts.registration = registered;
                changed.addAll(judge(registered));
            }
            case RegistryRecord.Left left -> facts.left = left;
            case RegistryRecord.Died died -> facts.death = died.evidence();
            case RegistryRecord.Settled settled -> facts.settled.put(settled.pool(), settled);
        }
        changed.add(facts.known());
        return new Change(changed, List.of());
    }

    /** A tombstone. */
    Change removed(String key) throws MalformedRecordException {
        Holder holder = holderOf(key);
        Facts facts = holders.get(holder);
        if (facts == null) return new Change(List.of(), List.of());
        String fact = key.substring(holder.toString().length());
        if (fact.isEmpty()) facts.registration = null;
        else if (fact.equals(LEFT)) facts.left = null;
        else if (fact.startsWith(SETTLED)) facts.settled.keySet().removeIf(pool -> fact.equals(SETTLED + pool));
        if (fact.isEmpty() || fact.equals(DIED)) forgetDeathIfLast(facts);
        if (!facts.isEmpty()) return new Change(List.of(facts.known()), List.of());
        holders.remove(holder);
        return new Change(List.of(), List.of(holder));
    }

    /** The dead stay dead for as long as anything is known of them. */
    private static void forgetDeathIfLast(Facts facts) {
        if (facts.registration == null) facts.death = null;
    }

    /** Who is dead by this registration; the one it is about may be. */
    private List<RegisteredHolder> judge(RegistryRecord.Registered registered) {
        RegistryRecord.Registered last = lastByLock.get(registered.lock());
        if (last != null && last.lockedNanos() > registered.lockedNanos()) {
            bury(registered.holder(), last.holder());
            return List.of();
        }
        lastByLock.put(registered.lock(), registered);
        List<RegisteredHolder> dead = new ArrayList<>();
        for (Facts other : holders.values()) {
            RegistryRecord.Registered earlier = other.registration;
            if (earlier == null || !earlier.lock().equals(registered.lock())) continue;
            if (earlier.lockedNanos() >= registered.lockedNanos() || other.death != null) continue;
            bury(other.holder, registered.holder());
            dead.add(other.known());
        }
        return dead;
    }

    private void bury(Holder dead, Holder successor) {
        Facts facts = holders.get(dead);
        if (facts != null && facts.death == null) facts.death = "its lock was taken by " + successor;
    }

    private static Holder holderOf(String key) throws MalformedRecordException {
        int nonce = key.indexOf('/') + 1;
        int end = key.indexOf('/', nonce);
        try {
            return Holder.parse(end < 0 ? key : key.substring(0, end));
        } catch (IllegalArgumentException e) {
            throw new MalformedRecordException("registry record", e);
        }
    }
}
