package dev.penstock.collector.kvevents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.collector.discovery.DiscoveredReplica.KvSource;
import dev.penstock.core.kvevents.Vocabulary;
import dev.penstock.core.prefix.PrefixChain;
import dev.penstock.model.PrefixRecord.PrefixBlocks;
import dev.penstock.testkit.Await;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Over real sockets. */
class KvSubscriberTest {
    private static final Duration SOON = Duration.ofSeconds(15);

    private final Set<Long> held = ConcurrentHashMap.newKeySet();
    private final AtomicInteger clears = new AtomicInteger();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final KvSubscriber subscriber = new KvSubscriber(this::told, new KvCounters(meters), System::nanoTime);

    @AfterEach
    void close() {
        subscriber.close();
    }

    @Test
    void what_an_engine_told_before_and_tells_now_is_held() throws Exception {
        try (FakePublisher engine = new FakePublisher()) {
            engine.stored(0, new long[] {1, 2}, 0);
            listenTo(engine, true);
            Await.until("what is held", SOON, () -> held.equals(expected(2)));

            engine.stored(2, new long[] {3}, 2 * FakePublisher.BLOCK_TOKENS);

            Await.until("what is held", SOON, () -> held.equals(expected(3)));
        }
    }

    @Test
    void a_gap_is_filled_by_what_is_told_again() throws Exception {
        try (FakePublisher engine = new FakePublisher()) {
            reach(engine, true);
            engine.storedUnheard(1, new long[] {2}, FakePublisher.BLOCK_TOKENS);
            engine.storedUnheard(2, new long[] {3}, 2 * FakePublisher.BLOCK_TOKENS);
            int before = clears.get();

            engine.stored(3, new long[] {4}, 3 * FakePublisher.BLOCK_TOKENS);

            Await.until("what is held", SOON, () -> held.equals(expected(4)));
            assertThat(clears).hasValue(before);
            Await.until("a gap", SOON, () -> count("penstock_collector_kv_gaps_total") == 1);
        }
    }

    @Test
    void after_a_gap_that_stays_nothing_of_before_is_held() throws Exception {
        try (FakePublisher engine = new FakePublisher()) {
            reach(engine, true);
            engine.storedUnheard(1, new long[] {2}, FakePublisher.BLOCK_TOKENS);
            engine.forget();

            engine.stored(0, new long[] {90}, 7_000);

            Await.until("what is held", SOON, () -> held.equals(Set.copyOf(hashes(7_000, 1))));
        }
    }

    @Test
    void without_a_place_to_ask_a_gap_clears() throws Exception {
        try (FakePublisher engine = new FakePublisher()) {
            reach(engine, false);
            engine.storedUnheard(1, new long[] {2}, FakePublisher.BLOCK_TOKENS);

            engine.stored(0, new long[] {90}, 7_000);

            Await.until("what is held", SOON, () -> held.equals(Set.copyOf(hashes(7_000, 1))));
        }
    }

    @Test
    void an_engine_that_begins_anew_at_its_address_holds_nothing_of_before() throws Exception {
        FakePublisher engine = new FakePublisher();
        String address = engine.address();
        String replay = engine.replayAddress();
        reach(engine, true);
        engine.stored(1, new long[] {2}, FakePublisher.BLOCK_TOKENS);
        Await.until("what is held", SOON, () -> held.equals(expected(2)));

        engine.close();
        Await.until("forgotten", SOON, held::isEmpty);
        try (FakePublisher next = new FakePublisher(address, replay)) {
            next.stored(0, new long[] {90}, 7_000);

            Await.until("what is held", SOON, () -> held.equals(Set.copyOf(hashes(7_000, 1))));
        }
    }

    @Test
    void hostile_messages_are_counted_and_skipped() throws Exception {
        try (FakePublisher engine = new FakePublisher()) {
            reach(engine, true);
            byte[] number = FakePublisher.number(engine.next());
            engine.raw(new byte[0]);
            engine.raw(new byte[0], new byte[3], new byte[] {1});
            engine.raw(new byte[0], number, new byte[] {(byte) 0xdd, -1, -1, -1, -1});
            engine.raw(new byte[0], FakePublisher.number(-5), new byte[] {(byte) 0x90});
            engine.raw(new byte[0], number, new byte[0], new byte[0], new byte[0], new byte[0]);

            engine.stored(1, new long[] {2}, FakePublisher.BLOCK_TOKENS);

            Await.until("what is held", SOON, () -> held.equals(expected(2)));
            assertThat(count("penstock_collector_kv_malformed_messages_total")).isEqualTo(5);
        }
    }

    @Test
    void another_incarnation_begins_anew() throws Exception {
        try (FakePublisher engine = new FakePublisher()) {
            reach(engine, true);

            int before = clears.get();

            subscriber.targets(targets(engine, "another", true));

            Await.until("another beginning", SOON, () -> clears.get() > before && held.equals(expected(1)));
        }
    }

    @Test
    void an_address_that_is_not_known_keeps_nobody_from_being_heard() throws Exception {
        try (FakePublisher engine = new FakePublisher()) {
            engine.stored(0, new long[] {1}, 0);
            List<KvTarget> both = new ArrayList<>(targets(engine, "u", true));
            KvSource nowhere = new KvSource("tcp://nowhere.invalid:1", "tcp://nowhere.invalid:2");
            both.addFirst(new KvTarget(3, "u", "engine-3", "m", nowhere, Vocabulary.BYTES4));

            subscriber.targets(both);
            subscriber.start();

            Await.until("what is held", SOON, () -> held.equals(expected(1)));
        }
    }

    /** Listens, and waits until a message came through; without replays, until the subscription arrived. */
    private void reach(FakePublisher engine, boolean replays) throws Exception {
        listenTo(engine, replays);
        Await.value(
                "what is held",
                SOON,
                () -> {
                    try {
                        if (held.isEmpty()) engine.stored(0, new long[] {1}, 0);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    return held;
                },
                expected(1)::equals);
    }

    private void listenTo(FakePublisher engine, boolean replays) {
        subscriber.targets(targets(engine, "u", replays));
        subscriber.start();
    }

    private static List<KvTarget> targets(FakePublisher engine, String uid, boolean replays) {
        KvSource source = new KvSource(engine.address(), replays ? engine.replayAddress() : null);
        return List.of(new KvTarget(7, uid, "engine-7", "m", source, Vocabulary.BYTES4));
    }

    private void told(List<PrefixBlocks> blocks, Runnable taken) {
        for (PrefixBlocks each : blocks) {
            assertThat(each.number()).isEqualTo(7);
            if (each.cleared()) {
                held.clear();
                clears.incrementAndGet();
            }
            for (long hash : each.removed()) held.remove(hash);
            for (long hash : each.stored()) held.add(hash);
        }
        taken.run();
    }

    private double count(String name) {
        return meters.counter(name).count();
    }

    private static Set<Long> expected(int blocks) {
        return Set.copyOf(hashes(0, blocks));
    }

    private static List<Long> hashes(int firstToken, int blocks) {
        ByteBuffer text = ByteBuffer.allocate(blocks * FakePublisher.BLOCK_TOKENS * 4);
        for (int i = 0; i < blocks * FakePublisher.BLOCK_TOKENS; i++) text.putInt(firstToken + i);
        PrefixChain chain = new PrefixChain();
        chain.start(PrefixChain.seed("m", null));
        chain.add(text.array(), 0, text.capacity());
        List<Long> hashes = new ArrayList<>();
        for (int i = 0; i < chain.blocks(); i++) hashes.add(chain.hash(i));
        return hashes;
    }
}
