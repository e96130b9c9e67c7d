package dev.penstock.admission.ledger;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Holders that die and follow each other, owners that displace each other and go on all the same, streams that break and lose
 * what is on its way, and engines that work on for the dead: one random step at a time.
 */
final class LedgerWalk {
    private static final int MOST_OWNERS = 4;
    private static final int MOST_LIVES = 9;

    final LedgerScene scene;
    final List<LedgerScene.Owner> owners = new ArrayList<>();
    final MemoryHolder[] holders = new MemoryHolder[3];
    private final SplittableRandom random;
    /** Of dead holders, what still runs at engines. */
    private final Map<Integer, Integer> numberToGhosts = new TreeMap<>();
    /** Whose messages may still arrive. */
    private final List<MemoryHolder> dead = new ArrayList<>();

    private LedgerScene.@Nullable Owner claimed;
    private long lives;

    LedgerWalk(long seed) {
        random = new SplittableRandom(seed);
        scene = new LedgerScene(random.nextLong());
        for (int number = 1; number <= 3; number++) scene.replica(number * 5, 1 + random.nextInt(4));
        for (int h = 0; h < holders.length; h++) holders[h] = born(h);
    }

    private MemoryHolder born(int h) {
        return scene.holder("holder-" + h, ++lives);
    }

    void step() {
        MemoryHolder holder = holders[random.nextInt(holders.length)];
        int number = 5 * (1 + random.nextInt(3));
        switch (random.nextInt(20)) {
            case 0 -> connect(holder);
            case 1, 2, 3, 4 -> arriveAtOwner();
            case 5, 6, 7, 8 -> {
                MemoryHolder.Link link = holder.newest();
                if (link != null && !link.toHolder.isEmpty())
                    link.toHolder.remove().run();
            }
            case 9 -> {
                if (random.nextInt(4) == 0) cut(holder);
            }
            case 10, 11 -> holder.admit(number);
            case 12 -> {
                if (holder.cell(number).used() > 0) holder.release(number);
            }
            case 13 -> holder.report(random.nextInt(3), random.nextInt(20));
            case 14 -> holder.ask(1 + random.nextInt(3));
            case 15 -> {
                if (random.nextInt(5) == 0 && lives < MOST_LIVES) die(random.nextInt(holders.length));
            }
            case 16, 17 -> {
                if (!owners.isEmpty()) anyOwner().tick();
            }
            case 18 -> claim();
            default -> engine(number);
        }
    }

    private void connect(MemoryHolder holder) {
        if (owners.isEmpty()) return;
        LedgerScene.Owner owner = anyOwner();
        if (holder.book.mayFollow(owner.epoch)) holder.open(owner);
    }

    private LedgerScene.Owner anyOwner() {
        // Mostly the newest: with too many turns at others nothing gets anywhere.
        return random.nextInt(3) > 0 ? owners.getLast() : owners.get(random.nextInt(owners.size()));
    }

    /** On any stream: an old one's messages may come late. */
    private void arriveAtOwner() {
        List<MemoryHolder> senders = new ArrayList<>(Arrays.asList(holders));
        senders.addAll(dead);
        MemoryHolder sender = senders.get(random.nextInt(senders.size()));
        if (sender.links.isEmpty()) return;
        int link = random.nextInt(3) > 0 ? sender.links.size() - 1 : random.nextInt(sender.links.size());
        var toOwner = sender.links.get(link).toOwner;
        if (!toOwner.isEmpty()) toOwner.remove().run();
    }

    private static void cut(MemoryHolder holder) {
        MemoryHolder.Link link = holder.newest();
        if (link == null || link.closed) return;
        link.cut();
        holder.book.closed();
    }

    private void die(int h) {
        MemoryHolder old = holders[h];
        for (int number : scene.numberToLimit.keySet())
            numberToGhosts.merge(number, old.cell(number).used(), Integer::sum);
        for (MemoryHolder.Link each : old.links) each.toHolder.clear();
        dead.add(old);
        holders[h] = born(h);
        scene.died(old);
    }

    /** A claim first; its facts are read some steps later. */
    private void claim() {
        if (claimed != null) {
            claimed.ready();
            claimed = null;
        } else if (owners.size() < MOST_OWNERS && (owners.isEmpty() || random.nextInt(6) == 0)) {
            claimed = scene.owner();
            owners.add(claimed);
        }
    }

    private void engine(int number) {
        if (random.nextInt(3) == 0) numberToGhosts.computeIfPresent(number, (n, ghosts) -> Math.max(0, ghosts - 1));
        if (owners.isEmpty()) return;
        LedgerScene.Owner owner = anyOwner();
        if (random.nextBoolean()) owner.read();
        else owner.scraped(number, inFlight(number));
    }

    private int inFlight(int number) {
        int inFlight = numberToGhosts.getOrDefault(number, 0);
        for (MemoryHolder each : holders) inFlight += each.cell(number).used();
        return inFlight;
    }

    /** What is wrong, or null. */
    @Nullable
    String violation() {
        for (var limit : scene.numberToLimit.entrySet()) {
            int number = limit.getKey();
            int rights = numberToGhosts.getOrDefault(number, 0);
            for (MemoryHolder each : holders) rights += each.held(number);
            if (inFlight(number) > limit.getValue() || rights > limit.getValue()) {
                return inFlight(number) + " in flight and " + rights + " rights at replica " + number + ", limit "
                        + limit.getValue();
            }
        }
        return null;
    }

    /** Nothing breaks any more, and all requests end. Returns the last owner. */
    LedgerScene.Owner heal() {
        if (claimed != null) claimed.ready();
        if (owners.isEmpty()) owners.add(scene.owner().ready());
        LedgerScene.Owner owner = owners.getLast();
        numberToGhosts.clear();
        for (MemoryHolder each : holders) each.connected(owner);
        for (int i = 0; i < 40; i++) {
            owner.read();
            owner.tick();
            for (int number : scene.numberToLimit.keySet()) {
                for (MemoryHolder each : holders) while (each.cell(number).used() > 0) each.release(number);
                owner.scraped(number, 0);
            }
            // Twice: what one gives back another is granted.
            for (MemoryHolder each : holders) each.deliverAll();
            for (MemoryHolder each : holders) each.deliverAll();
        }
        return owner;
    }

    /** Everybody leaves. */
    void leave(LedgerScene.Owner owner) {
        for (MemoryHolder each : holders) {
            each.book.leave();
            for (int number : scene.numberToLimit.keySet()) each.giveBack(number);
            each.deliverAll();
            if (!each.book.mayDeregister()) throw new AssertionError(each.id + " still holds slots");
            scene.registrations.add(ledger -> ledger.left(each.id, owner.epoch));
            owner.read();
        }
    }
}
