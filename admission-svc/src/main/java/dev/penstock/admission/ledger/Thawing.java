package dev.penstock.admission.ledger;

import dev.penstock.core.ledger.HolderId;
import dev.penstock.core.ledger.OwnerBook;
import dev.penstock.core.ledger.Rules;
import dev.penstock.core.ledger.Thaw;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The slots of dead holders on their way home. A thaw per holder and replica begins when the death is known; once claims and
 * registrations were read to their ends after that, it watches the engine. A restart ends it too, by a life that became ready well
 * after that reading: to one that was ready before, the dead may have sent. One thread.
 */
final class Thawing {
    private static final long RETRY_NANOS = Duration.ofSeconds(1).toNanos();
    /** A roster record that waits for Kafka is stored within 30 s or not at all, and until then a life seems to be younger by that. */
    private static final long READY_SEEN_NANOS = Duration.ofSeconds(35).toNanos();

    /** One in so many replicas: a router that dies under load had slots at all of them. */
    private static final int MOST_RESTING = 10;

    private final OwnerBook book;
    private final Seats seats;
    private final Facts facts;
    private final Listener listener;
    private final LongSupplier nanoClock;
    private final Set<HolderId> dead = new LinkedHashSet<>();
    private final Map<Integer, Map<HolderId, Watch>> indexToWatches = new HashMap<>();
    private List<Watch> unconfirmed = new ArrayList<>();
    private final Set<Integer> resting = new HashSet<>();
    private boolean reading;
    private boolean changed;
    private long retryNanos;

    /** Told when the slots are known to be nobody's. */
    interface Listener {
        void thawed(HolderId dead, int index);
    }

    private static final class Watch {
        final HolderId holder;
        final int index;
        final Thaw thaw = new Thaw(Rules.ALL);
        long sinceNanos;
        /** Of the life that the engine had when this began to watch. */
        @Nullable
        String uid;

        Watch(HolderId holder, int index) {
            this.holder = holder;
            this.index = index;
        }
    }

    Thawing(OwnerBook book, Seats seats, Facts facts, Listener listener, LongSupplier nanoClock) {
        this.book = book;
        this.seats = seats;
        this.facts = facts;
        this.listener = listener;
        this.nanoClock = nanoClock;
        retryNanos = nanoClock.getAsLong();
    }

    void died(HolderId id) {
        dead.add(id);
        changed = true;
    }

    /** There are more replicas: one that is presumed to hold slots may hold some of these. */
    void seatsAdded() {
        changed = true;
    }

    /** Each period. */
    void look() {
        long now = nanoClock.getAsLong();
        if (changed) begin();
        changed = false;
        rest();
        unconfirmed.removeIf(watch -> !book.frozen(watch.holder, watch.index));
        if (unconfirmed.isEmpty() || reading || now - retryNanos < 0) return;
        List<Watch> batch = unconfirmed;
        unconfirmed = new ArrayList<>();
        reading = true;
        retryNanos = now + RETRY_NANOS;
        facts.readToEnd(standing -> read(batch, standing));
    }

    /** A replica that is never idle gets no requests until the dead one's slots are home; of a pool few at a time. */
    private void rest() {
        resting.removeIf(index -> {
            if (isHeldUp(index)) return false;
            book.thawing(index, false);
            return true;
        });
        int most = Math.max(1, seats.count() / MOST_RESTING);
        for (int index : indexToWatches.keySet()) {
            if (resting.size() < most && isHeldUp(index) && resting.add(index)) book.thawing(index, true);
        }
    }

    private boolean isHeldUp(int index) {
        for (Watch watch : watches(index)) if (watch.thaw.isHeldUp()) return true;
        return false;
    }

    private void begin() {
        for (HolderId id : dead) {
            for (int i = 0; i < seats.count(); i++) {
                if (!book.frozen(id, i)) continue;
                Map<HolderId, Watch> watches = indexToWatches.computeIfAbsent(i, unused -> new LinkedHashMap<>());
                if (watches.containsKey(id)) continue;
                Watch watch = new Watch(id, i);
                watches.put(id, watch);
                unconfirmed.add(watch);
            }
        }
    }

    private void read(List<Watch> batch, Facts.Standing standing) {
        reading = false;
        if (standing != Facts.Standing.HIGHEST) {
            unconfirmed.addAll(batch);
            return;
        }
        long now = nanoClock.getAsLong();
        for (Watch watch : batch) {
            watch.thaw.stillHighest(now);
            watch.sinceNanos = now;
            watch.uid = seats.at(watch.index).uid;
        }
    }

    /** Whether scrapes matter. */
    boolean watches() {
        return !indexToWatches.isEmpty();
    }

    /** What a scrape of the engine at a replica's endpoint showed. */
    void scraped(int index, long begunNanos, long answeredNanos, int running, int waiting) {
        if (indexToWatches.isEmpty()) return;
        // That it works counts whenever it was asked: it can only hold a thaw up.
        long begun = running + waiting == 0 ? begunNanos : nanoClock.getAsLong();
        for (int each : seats.shownBy(index)) {
            for (Watch watch : watches(each)) {
                if (watch.thaw.scraped(begun, answeredNanos, running, waiting)) end(watch);
            }
        }
    }

    /** Its record says another life than before, or more of this one. */
    void seatChanged(int index) {
        Seat seat = seats.at(index);
        for (Watch watch : watches(index)) {
            boolean other = watch.uid != null && !watch.uid.equals(seat.uid);
            if (!watch.thaw.watching() || !other) continue;
            if (seat.readySinceNanos - watch.sinceNanos - READY_SEEN_NANOS > 0) end(watch);
        }
    }

    private void end(Watch watch) {
        settled(watch.holder, watch.index);
        listener.thawed(watch.holder, watch.index);
    }

    /** Of this holder nothing is frozen there any more. */
    void settled(HolderId id, int index) {
        Map<HolderId, Watch> watches = indexToWatches.get(index);
        if (watches == null) return;
        watches.remove(id);
        if (watches.isEmpty()) indexToWatches.remove(index);
    }

    /** As in {@link Thaw#progress}; 0 when nothing is frozen, too. */
    int progress(HolderId id, int index) {
        Map<HolderId, Watch> watches = indexToWatches.get(index);
        Watch watch = watches == null ? null : watches.get(id);
        return watch == null ? 0 : watch.thaw.progress();
    }

    private List<Watch> watches(int index) {
        Map<HolderId, Watch> watches = indexToWatches.get(index);
        return watches == null ? List.of() : List.copyOf(watches.values());
    }
}
