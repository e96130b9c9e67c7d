package dev.penstock.admission.ledger;

import dev.penstock.core.ledger.Distribution;
import dev.penstock.core.ledger.HolderId;
import dev.penstock.core.ledger.Moves;
import dev.penstock.core.ledger.OwnerBook;
import dev.penstock.core.ledger.Rules;
import dev.penstock.core.ledger.Sync;
import dev.penstock.kit.log.LogKeys;
import dev.penstock.model.PoolId;
import dev.penstock.model.Replica;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pool's slots in one epoch, at its owner: takes what streams, registrations, the roster and scrapes tell, and sends what
 * {@link Distribution} decides. After the claim it is told all registrations and the roster, read to their ends, and then
 * {@link #factsRead}. One thread; it never waits.
 */
public final class PoolLedger {
    private static final Logger LOG = LoggerFactory.getLogger(PoolLedger.class);

    private final PoolId pool;
    private final long epoch;
    private final Facts facts;
    private final LongSupplier nanoClock;
    private final OwnerBook book;
    private final Seats seats;
    private final Distribution distribution;
    private final Thawing thawing;
    private final SettledBook settled;
    private final Map<HolderId, Holder> holders = new LinkedHashMap<>();
    private boolean factsRead;
    private boolean closed;
    private long granted;
    /** Of the roster: numbers above it are nobody's. */
    private int highestNumber;

    public PoolLedger(PoolId pool, long epoch, Facts facts, LongSupplier nanoClock, RandomGenerator random) {
        this.pool = pool;
        this.epoch = epoch;
        this.facts = facts;
        this.nanoClock = nanoClock;
        book = new OwnerBook(epoch, Rules.ALL);
        seats = new Seats(book);
        distribution = new Distribution(book, random, new ToOutboxes());
        thawing = new Thawing(book, seats, facts, this::thawed, nanoClock);
        settled = new SettledBook(epoch);
    }

    /** Registrations, limits and lifecycle have been told as of a moment after the claim: grants may begin. */
    public void factsRead() {
        factsRead = true;
        seats.refresh();
        book.factsRead();
        LOG.atInfo()
                .addKeyValue(LogKeys.POOL, pool)
                .addKeyValue(LogKeys.EPOCH, epoch)
                .addKeyValue(LogKeys.COUNT, holders.size())
                .log("slots are granted from here on");
        tick();
    }

    /** Each {@link Distribution#PERIOD_NANOS}. */
    public void tick() {
        if (closed) return;
        thawing.look();
        if (factsRead) {
            seats.refresh();
            distribution.rebalance();
            flush();
        }
        settled.unwritten().forEach(facts::settled);
    }

    /** The claim is another's: what this ledger knows is void. */
    public void close() {
        if (closed) return;
        closed = true;
        for (Holder holder : holders.values()) {
            Follower follower = holder.follower;
            if (follower != null) follower.refuse(Refusal.NOT_OWNER);
            holder.follower = null;
        }
    }

    /**
     * The first message of a stream. Each further one is handed in with what this returns, which may be over already.
     *
     * @param numbers of replicas in the roster's count; {@code held} and {@code used} are in their order
     */
    public Follower sync(
            HolderPort port,
            HolderId id,
            long ofEpoch,
            long session,
            int[] numbers,
            int[] held,
            int[] used,
            int waiters) {
        Follower follower = new Follower(id, session, port, seats.indexes());
        if (closed) follower.refuse(Refusal.NOT_OWNER);
        else if (Numbers.areSlots(numbers, held) && Numbers.areSlots(numbers, used) && waiters >= 0) {
            greet(follower, ofEpoch, new Said(numbers, held, used, waiters), false);
        } else {
            follower.refuse(Refusal.MALFORMED);
        }
        return follower;
    }

    private record Said(int[] numbers, int[] held, int[] used, int waiters) {}

    /** What it says it holds is looked at only when it is known who says so: each number is given a place. */
    private void greet(Follower follower, long ofEpoch, Said said, boolean readAgain) {
        switch (book.greeting(follower.id, ofEpoch, follower.session)) {
            case WELCOME -> count(follower, ofEpoch, said);
            case OTHER_EPOCH -> follower.refuse(Refusal.OTHER_EPOCH);
            case OLD_SESSION -> follower.refuse(Refusal.OLD_SESSION);
            case GONE -> follower.refuse(Refusal.GONE);
            case UNKNOWN -> {
                if (readAgain) follower.refuse(Refusal.UNKNOWN);
                else facts.readToEnd(standing -> greetAgain(follower, ofEpoch, said, standing));
            }
        }
    }

    private void count(Follower follower, long ofEpoch, Said said) {
        for (int i = 0; i < said.numbers.length; i++) {
            if (said.held[i] == 0 || said.numbers[i] <= highestNumber) continue;
            follower.refuse(Refusal.UNKNOWN_REPLICA);
            return;
        }
        for (int i = 0; i < said.numbers.length; i++) if (said.held[i] > 0) seat(said.numbers[i]);
        book.sync(new Sync(follower.id, ofEpoch, follower.session, dense(said.numbers, said.held)));
        welcome(follower, said);
    }

    private void greetAgain(Follower follower, long ofEpoch, Said said, Facts.Standing standing) {
        if (closed) follower.refuse(Refusal.NOT_OWNER);
        else if (standing == Facts.Standing.UNREAD) follower.refuse(Refusal.UNREAD);
        else if (!follower.isOver()) greet(follower, ofEpoch, said, true);
    }

    private void welcome(Follower follower, Said said) {
        Holder holder = holder(follower.id);
        Follower before = holder.follower;
        if (before != null) {
            before.end();
            before.port.close();
        }
        holder.follower = follower;
        distribution.joined(follower.id);
        follower.port.welcome();
        report(holder, said.numbers, said.used, said.waiters, 0);
        follower.welcomed();
        flush();
    }

    public void returned(Follower follower, int[] numbers, int[] slots) {
        follower.take(() -> takeBack(follower, numbers, slots));
    }

    private void takeBack(Follower follower, int[] numbers, int[] slots) {
        boolean wrong = !Numbers.areSlots(numbers, slots);
        for (int i = 0; i < numbers.length && !wrong; i++) {
            int index = seats.indexes().of(numbers[i]);
            wrong = index == ReplicaIndexes.UNKNOWN || slots[i] < 1 || slots[i] > book.out(follower.id, index);
            if (!wrong) distribution.returned(follower.id, follower.session, index, slots[i]);
        }
        if (wrong) refuse(follower, "returned what was not out");
        flush();
    }

    /** @param arrivals requests since the last report */
    public void reported(Follower follower, int[] numbers, int[] used, int waiters, int arrivals) {
        follower.take(() -> {
            if (!Numbers.areSlots(numbers, used) || waiters < 0 || arrivals < 0) {
                refuse(follower, "reported what can't be");
                return;
            }
            report(holder(follower.id), numbers, used, waiters, arrivals);
            flush();
        });
    }

    private void report(Holder holder, int[] numbers, int[] used, int waiters, int arrivals) {
        holder.used = dense(numbers, used);
        holder.waiters = waiters;
        // What it asks for is not recalled from others while nothing can be granted.
        if (factsRead) distribution.reported(holder.id, holder.used, waiters, arrivals);
    }

    /** @param more requests that wait there without a slot */
    public void asked(Follower follower, int more) {
        follower.take(() -> {
            if (more > 0 && factsRead) distribution.asked(follower.id, more);
            flush();
        });
    }

    /** The stream ended, or the holder let go of it. */
    public void ended(Follower follower) {
        follower.end();
        Holder holder = holders.get(follower.id);
        if (holder != null && holder.follower == follower) detach(holder);
    }

    private void refuse(Follower follower, String reason) {
        LOG.atWarn()
                .addKeyValue(LogKeys.POOL, pool)
                .addKeyValue(LogKeys.HOLDER, follower.id)
                .addKeyValue(LogKeys.REASON, reason)
                .log("a holder's stream is refused");
        follower.refuse(Refusal.MALFORMED);
        ended(follower);
    }

    private void detach(Holder holder) {
        holder.follower = null;
        holder.silentSinceNanos = nanoClock.getAsLong();
        distribution.left(holder.id);
    }

    /** A registration, in the order of their topic, as are the next three. */
    public void registered(HolderId id) {
        holder(id);
        book.registered(id);
    }

    /** @param lastEpoch of this pool that it followed as it wrote itself; below 0 when it followed none */
    public void left(HolderId id, long lastEpoch) {
        Holder holder = holders.get(id);
        if (holder == null || lastEpoch > epoch) return;
        over(holder);
        holder.left = true;
        book.deregistered(id, lastEpoch);
    }

    public void died(HolderId id) {
        Holder holder = holder(id);
        if (holder.dead) return;
        over(holder);
        holder.dead = true;
        book.died(id);
        for (int number : settled.of(id)) settleIfKnown(id, number);
        thawing.died(id);
    }

    private void over(Holder holder) {
        Follower follower = holder.follower;
        if (follower == null) return;
        detach(holder);
        follower.refuse(Refusal.GONE);
    }

    /** @param byEpoch of the owner that found so */
    public void settled(HolderId id, long byEpoch, Collection<Integer> numbers) {
        if (!settled.read(id, byEpoch, numbers)) return;
        for (int number : numbers) settleIfKnown(id, number);
    }

    private void settleIfKnown(HolderId id, int number) {
        int index = seats.indexes().of(number);
        if (index == ReplicaIndexes.UNKNOWN) return;
        book.settled(id, index, epoch);
        if (!book.frozen(id, index)) thawing.settled(id, index);
    }

    private void thawed(HolderId id, int index) {
        book.settled(id, index, epoch);
        settled.found(id, seats.at(index).number);
        LOG.atInfo()
                .addKeyValue(LogKeys.POOL, pool)
                .addKeyValue(LogKeys.HOLDER, id)
                .addKeyValue(LogKeys.REPLICA, seats.at(index).number)
                .log("slots of a dead holder are home");
    }

    /**
     * A replica of the pool, new or changed.
     *
     * @param highestLimit that it is known to have had: under it earlier owners may have granted slots that nobody has reported
     */
    public void present(Replica replica, int limit, int highestLimit) {
        seat(replica.number());
        int index = seats.present(replica.number(), replica.endpoint(), limit, highestLimit);
        thawing.seatChanged(index);
    }

    /** A replica that has left the pool; what holders have of it comes home. */
    public void gone(Replica replica) {
        seat(replica.number());
        thawing.seatChanged(seats.gone(replica.number(), replica.endpoint()));
    }

    public void draining(int number, boolean draining) {
        seat(number);
        seats.draining(number, draining);
    }

    /** A scrape of a replica; the times bound when it began and was answered, on this clock. */
    public void scraped(int number, long begunNanos, long answeredNanos, int running, int waiting) {
        int index = seats.indexes().of(number);
        if (index != ReplicaIndexes.UNKNOWN) thawing.scraped(index, begunNanos, answeredNanos, running, waiting);
    }

    /** A replica's engine began anew, at some time after this moment of this clock. */
    public void restarted(int number, long afterNanos) {
        int index = seats.indexes().of(number);
        if (index != ReplicaIndexes.UNKNOWN) thawing.restarted(index, afterNanos);
    }

    /** The roster has given numbers up to this one. */
    public void numbersUpTo(int number) {
        highestNumber = Math.max(highestNumber, number);
    }

    private void seat(int number) {
        numbersUpTo(number);
        int before = seats.count();
        seats.give(number);
        if (seats.count() == before) return;
        distribution.replicas(seats.count());
        for (HolderId dead : settled.deadAt(number)) settleIfKnown(dead, number);
        thawing.seatsAdded();
    }

    private Holder holder(HolderId id) {
        return holders.computeIfAbsent(id, fresh -> new Holder(fresh, !factsRead, nanoClock.getAsLong()));
    }

    /** Amounts by index; of replicas that nothing is known of there are none. */
    private int[] dense(int[] numbers, int[] amounts) {
        int[] dense = new int[seats.count()];
        for (int i = 0; i < numbers.length; i++) {
            int index = seats.indexes().of(numbers[i]);
            if (index != ReplicaIndexes.UNKNOWN) dense[index] = amounts[i];
        }
        return dense;
    }

    private void flush() {
        for (Holder holder : holders.values()) {
            Follower follower = holder.follower;
            if (follower != null) follower.outbox.flush();
        }
    }

    private final class ToOutboxes implements Moves {
        @Override
        public void grant(HolderId to, int replica, int slots) {
            granted += slots;
            Follower follower = holder(to).follower;
            if (follower != null) follower.outbox.grant(replica, slots);
        }

        @Override
        public void recall(HolderId from, int replica, int target) {
            Follower follower = holder(from).follower;
            if (follower != null) follower.outbox.recall(replica, target);
        }
    }

    public PoolId pool() {
        return pool;
    }

    public long epoch() {
        return epoch;
    }

    boolean areFactsRead() {
        return factsRead;
    }

    OwnerBook book() {
        return book;
    }

    Seats seats() {
        return seats;
    }

    Thawing thawing() {
        return thawing;
    }

    Collection<Holder> holders() {
        return holders.values();
    }

    /** Slots that were granted in this epoch, the same ones again included. */
    long granted() {
        return granted;
    }
}
