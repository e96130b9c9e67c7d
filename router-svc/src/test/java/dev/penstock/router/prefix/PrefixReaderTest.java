package dev.penstock.router.prefix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.prefix.PrefixChain;
import dev.penstock.core.prefix.PrefixMatch;
import dev.penstock.core.prefix.PrefixTable;
import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.config.KafkaConfig;
import dev.penstock.model.Header;
import dev.penstock.model.PrefixRecord;
import dev.penstock.model.PrefixRecord.PrefixBlocks;
import dev.penstock.testkit.Await;
import dev.penstock.testkit.infra.RealInfra;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a router learns of what others, engines and its own earlier life say of prefixes. */
class PrefixReaderTest {
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final long TTL = 600_000_000_000L;
    private static final long NOW = 5 * TTL;
    private static final long OWN = 7;
    private static final long EARLIER_LIFE = 8;
    private static final long[] NONE = {};

    private final PrefixTable table = new PrefixTable(1_024, TTL);
    private final PrefixCounters counters = new PrefixCounters(new SimpleMeterRegistry());
    private final PrefixMatch match = new PrefixMatch();
    private final PrefixChain chain = new PrefixChain();

    @Test
    void what_its_earlier_life_sent_is_learned_and_what_it_sent_itself_is_not() {
        PrefixReader reader = new PrefixReader(table, OWN, counters, () -> NOW);

        reader.apply(told(OWN, new PrefixBlocks(1, hashes(1, 2), NONE, false)));
        assertThat(known(1, 2)).isZero();

        reader.apply(told(EARLIER_LIFE, new PrefixBlocks(1, hashes(1, 2), NONE, false)));
        assertThat(known(1, 2)).isEqualTo(2);
    }

    @Test
    void a_collectors_first_record_clears_and_tells_what_is_held() {
        PrefixReader reader = new PrefixReader(table, OWN, counters, () -> NOW);
        reader.apply(told(EARLIER_LIFE, new PrefixBlocks(1, hashes(1, 2, 3), NONE, false)));

        reader.apply(told(9, new PrefixBlocks(1, hashes(1, 2), NONE, true)));

        assertThat(known(1, 2, 3)).isEqualTo(2);
        assertThat(match.replica(0)).isEqualTo(1);
    }

    /** Ten minutes of a busy fleet are some seconds of work. */
    @Test
    void no_event_loop_reads() throws Exception {
        RealInfra infra = RealInfra.shared();
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        Vertx vertx = Vertx.vertx();
        KafkaConfig kafka = new KafkaConfig(infra.bootstrapServers(), (short) 1);
        KafkaBus bus = KafkaBus.create(vertx, kafka, Incarnation.fresh("router-p"), meters);
        Set<Boolean> onEventLoop = ConcurrentHashMap.newKeySet();
        PrefixReader reader = new PrefixReader(table, OWN, counters, () -> {
            onEventLoop.add(Context.isOnEventLoopThread());
            return NOW;
        });
        try {
            await(reader.start(vertx, bus));
            Incarnation other = Incarnation.fresh("router-q");
            PrefixPublisher publisher = new PrefixPublisher(bus, other, counters, () -> NOW);
            PrefixNews.Batch news = new PrefixNews.Batch(hashes(1, 2), new int[] {1, 1}, 0);

            // Said again: what is said before there is a connection is dropped.
            Await.until("it is read", SOON, () -> {
                publisher.publish(news);
                return known(1, 2) == 2;
            });
            assertThat(onEventLoop).containsExactly(false);
        } finally {
            await(bus.close());
            await(vertx.close());
        }
    }

    private static PrefixRecord told(long incarnation, PrefixBlocks blocks) {
        return new PrefixRecord(new Header("router-1", incarnation, 1, Header.NO_EPOCH, 0), List.of(blocks));
    }

    private long[] hashes(long... ids) {
        chainOf(ids);
        long[] hashes = new long[chain.blocks()];
        for (int i = 0; i < hashes.length; i++) hashes[i] = chain.hash(i);
        return hashes;
    }

    private int known(long... ids) {
        chainOf(ids);
        return table.find(chain, NOW, match);
    }

    private void chainOf(long... ids) {
        chain.start(PrefixChain.seed("m", null));
        for (long id : ids) chain.addBlock(id);
    }

    private static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }
}
