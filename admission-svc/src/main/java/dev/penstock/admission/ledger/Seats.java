package dev.penstock.admission.ledger;

import dev.penstock.core.ledger.OwnerBook;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The replicas of a pool, by index, and the limits that the book is told. Slots stand for requests at an endpoint: a number at
 * an endpoint that another one had gets no slots before those of the other are all home, and one that moves none before its own
 * are. One thread.
 */
final class Seats {
    private final OwnerBook book;
    private final ReplicaIndexes indexes = new ReplicaIndexes();
    private final List<Seat> seats = new ArrayList<>();
    private final Map<String, List<Integer>> endpointToIndexes = new HashMap<>();
    private boolean changed;

    Seats(OwnerBook book) {
        this.book = book;
    }

    ReplicaIndexes indexes() {
        return indexes;
    }

    int count() {
        return seats.size();
    }

    Seat at(int index) {
        return seats.get(index);
    }

    /** Of a replica that the roster need not have: holders may still hold slots of it. */
    int give(int number) {
        int index = indexes.give(number);
        if (index == seats.size()) {
            seats.add(new Seat(number));
            book.limit(index, 0);
        }
        return index;
    }

    /** Returns its index. */
    int present(int number, String endpoint, int limit, int highestLimit) {
        int index = give(number);
        Seat seat = seats.get(index);
        String before = seat.endpoint;
        if (before != null && !before.equals(endpoint)) {
            seat.formerEndpoints.add(before);
            book.limit(index, 0);
        }
        seat.present = true;
        seat.endpoint = endpoint;
        seat.limit = limit;
        seat.highestLimit = Math.max(seat.highestLimit, highestLimit);
        book.limit(index, book.limit(index), seat.highestLimit);
        changed = true;
        return index;
    }

    /**
     * Returns its index.
     *
     * @param endpoint where it was, which counts when nothing else is known
     */
    int gone(int number, @Nullable String endpoint) {
        int index = give(number);
        Seat seat = seats.get(index);
        seat.present = false;
        if (seat.endpoint == null) seat.endpoint = endpoint;
        changed = true;
        return index;
    }

    void draining(int number, boolean draining) {
        int index = give(number);
        seats.get(index).draining = draining;
        book.draining(index, draining);
    }

    /** Tells the book which limits count; each period, since slots come home at any time. */
    void refresh() {
        for (int i = 0; i < seats.size(); i++) changed |= settledDown(i);
        if (changed) arrange();
        changed = false;
        endpointToIndexes.values().forEach(sharing -> {
            if (sharing.size() > 1) for (int index : sharing) tell(index);
        });
    }

    /** Whether nothing can run any more where it was. */
    private boolean settledDown(int index) {
        Set<String> former = seats.get(index).formerEndpoints;
        if (former.isEmpty() || !empty(index)) return false;
        former.clear();
        return true;
    }

    private void arrange() {
        endpointToIndexes.clear();
        for (int i = 0; i < seats.size(); i++) {
            Seat seat = seats.get(i);
            String endpoint = seat.endpoint;
            if (endpoint != null) list(endpoint, i);
            for (String former : seat.formerEndpoints) if (!former.equals(endpoint)) list(former, i);
        }
        for (int i = 0; i < seats.size(); i++) tell(i);
    }

    private void list(String endpoint, int index) {
        endpointToIndexes
                .computeIfAbsent(endpoint, unused -> new ArrayList<>(1))
                .add(index);
    }

    private void tell(int index) {
        Seat seat = seats.get(index);
        boolean open = seat.present && seat.formerEndpoints.isEmpty() && blockedBy(index) == null;
        int limit = open ? seat.limit : 0;
        if (book.limit(index) != limit) book.limit(index, limit);
    }

    /** Who has the endpoint of this one, or may have requests there. */
    @Nullable
    Seat blockedBy(int index) {
        Seat seat = seats.get(index);
        String endpoint = seat.endpoint;
        if (endpoint == null) return null;
        for (int each : endpointToIndexes.getOrDefault(endpoint, List.of())) {
            Seat other = seats.get(each);
            if (each == index) continue;
            // Of two that are there it is the first one's.
            boolean first = other.present && endpoint.equals(other.endpoint) && each < index;
            if (first || !empty(each)) return other;
        }
        return null;
    }

    /** Nobody holds a slot of it, as far as can be known. */
    private boolean empty(int index) {
        return book.home(index) == book.limit(index) && book.accounted(index);
    }
}
