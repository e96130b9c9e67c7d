package dev.penstock.admission.ledger;

import dev.penstock.core.ledger.HolderId;
import dev.penstock.model.PoolId;
import dev.penstock.model.Replica;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.record.ReplicaBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Registrations, claims and a roster in memory, and the owners that read them. */
final class LedgerScene {
    static final PoolId POOL = PoolId.localFor(ReplicaBuilder.MODEL);

    final ManualClock clock = new ManualClock();
    final SplittableRandom random;
    /** Records of the registrations: each is told to every owner that reads it. */
    final List<Consumer<PoolLedger>> registrations = new ArrayList<>();

    final Map<Integer, Integer> numberToLimit = new TreeMap<>();
    long highestClaim;
    boolean kafkaAway;
    /** Readings end when the test says so. */
    boolean slowReads;

    final List<Runnable> readings = new ArrayList<>();

    LedgerScene(long seed) {
        random = new SplittableRandom(seed);
    }

    /** An owner's process, as far as one pool's ledger goes. */
    final class Owner implements Facts {
        final PoolLedger ledger;
        final long epoch = ++highestClaim;
        private int read;

        Owner() {
            ledger = new PoolLedger(POOL, epoch, this, clock, random.split());
        }

        /** All there is to read. */
        Owner ready() {
            numberToLimit.forEach((number, limit) -> ledger.present(replica(number), limit, limit));
            read();
            ledger.factsRead();
            return this;
        }

        void read() {
            while (read < registrations.size()) registrations.get(read++).accept(ledger);
        }

        @Override
        public void readToEnd(Consumer<Standing> then) {
            if (slowReads) readings.add(() -> endReading(then));
            else endReading(then);
        }

        private void endReading(Consumer<Standing> then) {
            if (kafkaAway) {
                then.accept(Standing.UNREAD);
                return;
            }
            read();
            then.accept(highestClaim == epoch ? Standing.HIGHEST : Standing.DISPLACED);
        }

        @Override
        public void settled(HolderId dead, SortedSet<Integer> numbers) {
            registrations.add(each -> each.settled(dead, epoch, numbers));
        }

        /** A period goes by. */
        void tick() {
            clock.advanceMillis(100);
            ledger.tick();
        }

        /** A scrape that has begun and was answered in the last second; the next one begins later. */
        void scraped(int number, int running) {
            long begun = clock.advance(Duration.ofMillis(10)).getAsLong();
            long answered = clock.advance(Duration.ofMillis(10)).getAsLong();
            ledger.scraped(number, begun, answered, running, 0);
            clock.advanceMillis(1);
        }

        int home(int number) {
            return ledger.book().home(index(number));
        }

        int grantable(int number) {
            return ledger.book().grantable(index(number));
        }

        int out(HolderId id, int number) {
            return ledger.book().out(id, index(number));
        }

        private int index(int number) {
            return ledger.seats().indexes().of(number);
        }
    }

    Owner owner() {
        return new Owner();
    }

    LedgerScene replica(int number, int limit) {
        numberToLimit.put(number, limit);
        return this;
    }

    static Replica replica(int number) {
        return ReplicaBuilder.replica(number).build();
    }

    /** A holder that has registered and read the claims. */
    MemoryHolder holder(String name, long nonce) {
        MemoryHolder holder = new MemoryHolder(new HolderId(name, nonce), highestClaim);
        registrations.add(ledger -> ledger.registered(holder.id));
        return holder;
    }

    void died(MemoryHolder holder) {
        registrations.add(ledger -> ledger.died(holder.id));
    }

    PoolSums sums(Owner owner) {
        return PoolSums.of(owner.ledger, clock.getAsLong());
    }
}
