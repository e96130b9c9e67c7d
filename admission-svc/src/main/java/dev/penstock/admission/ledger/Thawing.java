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

/**
 * The slots of dead holders on their way home. A thaw per holder and replica begins when the death is known; once claims and
 * registrations were read to their ends after that, it watches the engines at all endpoints where the dead may have sent. What
 * its counters say was begun anew since that reading is a restart, and ends it too. A new uid does not: a replica that was only
 * away from discovery gets one as well. One thread.
 */
final class Thawing {
    private static final long RETRY_NANOS = Duration.ofSeconds(1).toNanos();
    /** One in so many replicas: a router that dies under load had slots at all of them. */
    private static final int MOST_RESTING = 10;

    private final OwnerBook book;
    private final Seats seats;
    private final Facts facts;
    private final Listener listener;
    private final LongSupplier nanoClock;
    private final Set<HolderId> dead = new LinkedHashSet<>();
    private final Map<Integer, Map<HolderId, Watch>> indexToWatches = new HashMap<>();
    private final Map<String, Set<Watch>> endpointToWatches = new HashMap<>();
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
        /** Of the engines that are not known to have stopped, and how far. */
        final Map<String, Thaw> endpointToThaw = new HashMap<>();
        /** Endpoints of which that is known. */
        final Set<String> stopped = new HashSet<>();

        boolean confirmed;
        long sinceNanos;

        Watch(HolderId holder, int index) {
            this.holder = holder;
            this.index = index;
        }

        void confirm(long nowNanos) {
            confirmed = true;
            sinceNanos = nowNanos;
            for (Thaw thaw : endpointToThaw.values()) thaw.stillHighest(nowNanos);
        }

        boolean isHeldUp() {
            for (Thaw thaw : endpointToThaw.values()) if (thaw.isHeldUp()) return true;
            return false;
        }

        /** The least of all engines. */
        int progress() {
            int least = confirmed ? Integer.MAX_VALUE : 0;
            for (Thaw thaw : endpointToThaw.values()) least = Math.min(least, thaw.progress());
            return least == Integer.MAX_VALUE ? 1 : least;
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
        for (Watch watch : watches(index)) if (watch.isHeldUp()) return true;
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
                where(watch);
            }
        }
    }

    /** To wherever the number is or was before its slots came home the dead may have sent; the roster may tell of it after the death. */
    private void where(Watch watch) {
        Seat seat = seats.at(watch.index);
        for (String former : seat.formerEndpoints) watchAt(former, watch);
        if (seat.endpoint != null) watchAt(seat.endpoint, watch);
    }

    private void watchAt(String endpoint, Watch watch) {
        if (watch.stopped.contains(endpoint) || watch.endpointToThaw.containsKey(endpoint)) return;
        Thaw thaw = new Thaw(Rules.ALL);
        if (watch.confirmed) thaw.stillHighest(nanoClock.getAsLong());
        watch.endpointToThaw.put(endpoint, thaw);
        endpointToWatches
                .computeIfAbsent(endpoint, unused -> new LinkedHashSet<>())
                .add(watch);
    }

    private void read(List<Watch> batch, Facts.Standing standing) {
        reading = false;
        if (standing != Facts.Standing.HIGHEST) {
            unconfirmed.addAll(batch);
            return;
        }
        long now = nanoClock.getAsLong();
        for (Watch watch : batch) watch.confirm(now);
    }

    /** Whether scrapes matter. */
    boolean watches() {
        return !indexToWatches.isEmpty();
    }

    /** What a scrape of the engine at a replica's endpoint showed, of whichever number the slots are. */
    void scraped(int index, long begunNanos, long answeredNanos, int running, int waiting) {
        if (indexToWatches.isEmpty()) return;
        // That it works counts whenever it was asked: it can only hold a thaw up.
        long begun = running + waiting == 0 ? begunNanos : nanoClock.getAsLong();
        String endpoint = scrapedAt(index);
        for (Watch watch : watchesAt(endpoint)) {
            Thaw thaw = watch.endpointToThaw.get(endpoint);
            if (thaw != null && thaw.scraped(begun, answeredNanos, running, waiting)) stopped(watch, endpoint);
        }
    }

    /** The engine at a replica's endpoint was alive after this moment, and began anew since. */
    void restarted(int index, long afterNanos) {
        if (indexToWatches.isEmpty()) return;
        String endpoint = scrapedAt(index);
        for (Watch watch : watchesAt(endpoint)) {
            if (watch.confirmed && afterNanos - watch.sinceNanos > 0) stopped(watch, endpoint);
        }
    }

    /** What is scraped where nobody knows it to be shows nothing: "". */
    private String scrapedAt(int index) {
        Seat seat = seats.at(index);
        return seat.endpoint == null || !seat.present ? "" : seat.endpoint;
    }

    private List<Watch> watchesAt(String endpoint) {
        return List.copyOf(endpointToWatches.getOrDefault(endpoint, Set.of()));
    }

    /** It may be at another endpoint. */
    void seatChanged(int index) {
        for (Watch watch : watches(index)) where(watch);
    }

    private void stopped(Watch watch, String endpoint) {
        forget(watch, endpoint);
        watch.endpointToThaw.remove(endpoint);
        watch.stopped.add(endpoint);
        if (!watch.endpointToThaw.isEmpty()) return;
        settled(watch.holder, watch.index);
        listener.thawed(watch.holder, watch.index);
    }

    private void forget(Watch watch, String endpoint) {
        Set<Watch> there = endpointToWatches.get(endpoint);
        if (there == null) return;
        there.remove(watch);
        if (there.isEmpty()) endpointToWatches.remove(endpoint);
    }

    /** Of this holder nothing is frozen there any more. */
    void settled(HolderId id, int index) {
        Map<HolderId, Watch> watches = indexToWatches.get(index);
        if (watches == null) return;
        Watch watch = watches.remove(id);
        if (watch != null) for (String endpoint : watch.endpointToThaw.keySet()) forget(watch, endpoint);
        if (watches.isEmpty()) indexToWatches.remove(index);
    }

    /** As in {@link Thaw#progress}; 0 when nothing is frozen, too. */
    int progress(HolderId id, int index) {
        Map<HolderId, Watch> watches = indexToWatches.get(index);
        Watch watch = watches == null ? null : watches.get(id);
        return watch == null ? 0 : watch.progress();
    }

    private List<Watch> watches(int index) {
        Map<HolderId, Watch> watches = indexToWatches.get(index);
        return watches == null ? List.of() : List.copyOf(watches.values());
    }
}
