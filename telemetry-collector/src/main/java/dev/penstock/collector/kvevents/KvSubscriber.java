package dev.penstock.collector.kvevents;

import dev.penstock.kit.log.LogKeys;
import dev.penstock.model.PrefixRecord.PrefixBlocks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;

/**
 * The thread that listens to engines. It owns every socket and everything that is known of an engine's blocks; each 50 ms it
 * hands over what changed, and only when the last of that was taken: what nobody takes stays with the feeds, where each prefix
 * has one word.
 *
 * <p>Per replica two sockets and up to 15 MiB; with 2,000 replicas over four collectors, a collector has 500 of them.
 */
public final class KvSubscriber implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(KvSubscriber.class);
    private static final long POLL_MILLIS = 10;
    private static final long TELL_NANOS = Duration.ofMillis(50).toNanos();
    /** Of one record: 64 KiB. */
    private static final int MOST_HASHES = 8_192;
    /** Of which one replica: the first to tell much does not silence the others. */
    private static final int MOST_OF_ONE = 2_048;

    private static final int MOST_SOCKETS = 16_384;
    /** After an address that cannot be resolved, or a failure of the thread. */
    private static final long AGAIN_NANOS = Duration.ofSeconds(5).toNanos();

    private static final long CLOSE_MILLIS = 2_000;

    private final BiConsumer<List<PrefixBlocks>, Runnable> sink;
    private final KvCounters counters;
    private final LongSupplier nanoClock;
    private final Map<Integer, KvFeed> numberToFeed = new HashMap<>();
    private final AtomicBoolean taken = new AtomicBoolean(true);
    private final Thread thread;
    private volatile Map<Integer, KvTarget> wanted = Map.of();
    private volatile boolean closed;
    private long monitors;
    private boolean incomplete;
    private long followedNanos;
    private int turn;

    /** @param sink called on the subscriber's thread; to run its second argument when it took the first, on any thread */
    KvSubscriber(BiConsumer<List<PrefixBlocks>, Runnable> sink, KvCounters counters, LongSupplier nanoClock) {
        this.sink = sink;
        this.counters = counters;
        this.nanoClock = nanoClock;
        thread = Thread.ofPlatform().name("penstock-kv-events").daemon().unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Whom to listen to from now on. Any thread. */
    void targets(List<KvTarget> targets) {
        Map<Integer, KvTarget> next = new HashMap<>();
        targets.forEach(target -> next.put(target.number(), target));
        wanted = next;
    }

    /** Closes every socket; waits for that, a moment at most. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!closed) {
            try (ZContext zmq = new ZContext()) {
                zmq.getContext().setMaxSockets(MOST_SOCKETS);
                zmq.setLinger(0);
                listen(zmq);
            } catch (RuntimeException e) {
                LOG.atError().setCause(e).log("listening to KV events failed, beginning anew");
                numberToFeed.clear();
                LockSupport.parkNanos(this, AGAIN_NANOS);
            }
        }
    }

    private void listen(ZContext zmq) {
        Map<Integer, KvTarget> had = Map.of();
        ZMQ.@Nullable Poller poller = null;
        long toldNanos = nanoClock.getAsLong();
        while (!closed) {
            Map<Integer, KvTarget> now = wanted;
            boolean again = incomplete && nanoClock.getAsLong() - followedNanos > AGAIN_NANOS;
            if (now != had || again) {
                follow(zmq, now);
                had = now;
                poller = close(poller);
            }
            if (poller == null) poller = poller(zmq);
            poller.poll(POLL_MILLIS);
            boolean changed = false;
            for (KvFeed feed : numberToFeed.values()) changed |= feed.read(nanoClock.getAsLong());
            if (changed) poller = close(poller);
            long nanos = nanoClock.getAsLong();
            if (nanos - toldNanos >= TELL_NANOS) {
                tell(nanos - toldNanos);
                toldNanos = nanos;
            }
        }
        close(poller);
        numberToFeed.values().forEach(KvFeed::close);
    }

    private static ZMQ.@Nullable Poller close(ZMQ.@Nullable Poller poller) {
        if (poller != null) poller.close();
        return null;
    }

    private ZMQ.Poller poller(ZContext zmq) {
        ZMQ.Poller poller = zmq.createPoller(2 * numberToFeed.size());
        numberToFeed.values().forEach(feed -> feed.register(poller));
        return poller;
    }

    private void follow(ZContext zmq, Map<Integer, KvTarget> targets) {
        followedNanos = nanoClock.getAsLong();
        incomplete = false;
        numberToFeed.values().removeIf(feed -> {
            boolean gone = !feed.target().equals(targets.get(feed.target().number()));
            if (gone) feed.close();
            return gone;
        });
        for (KvTarget target : targets.values()) {
            if (!numberToFeed.containsKey(target.number())) listenTo(zmq, target);
        }
    }

    private void listenTo(ZContext zmq, KvTarget target) {
        try {
            numberToFeed.put(target.number(), new KvFeed(zmq, target, "kv-" + monitors++, counters));
            LOG.atInfo()
                    .addKeyValue(LogKeys.REPLICA, target.name())
                    .addKeyValue(LogKeys.URL, target.source().events())
                    .log("listening to KV events");
        } catch (ZMQException e) {
            incomplete = true;
            LOG.atWarn()
                    .addKeyValue(LogKeys.REPLICA, target.name())
                    .addKeyValue(LogKeys.URL, target.source().events())
                    .addKeyValue(LogKeys.ERROR, e.getMessage())
                    .log("KV events cannot be reached, trying again");
        }
    }

    private void tell(long passedNanos) {
        List<KvFeed> feeds = List.copyOf(numberToFeed.values());
        feeds.forEach(feed -> feed.passed(passedNanos));
        if (!taken.get()) return;
        List<PrefixBlocks> told = new ArrayList<>();
        int left = MOST_HASHES;
        // another one first each time
        turn++;
        for (int i = 0; i < feeds.size() && left > 0; i++) {
            KvFeed feed = feeds.get(Math.floorMod(turn + i, feeds.size()));
            if (feed.changes().isEmpty()) continue;
            PrefixBlocks blocks = feed.changes().take(feed.target().number(), Math.min(left, MOST_OF_ONE));
            left -= blocks.stored().length + blocks.removed().length;
            told.add(blocks);
        }
        if (told.isEmpty()) return;
        taken.set(false);
        sink.accept(told, () -> taken.set(true));
    }
}
