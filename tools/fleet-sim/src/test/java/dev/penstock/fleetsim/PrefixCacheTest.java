package dev.penstock.fleetsim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.prefix.PrefixChain;
import dev.penstock.core.view.ReplicaCell;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Prompts by their blocks: in an engine's cache, and as production's chain. */
class PrefixCacheTest {
    private final PrefixChain chain = new PrefixChain();

    @Test
    void hits_whole_blocks_from_the_first_on_and_never_the_last_token() {
        var cache = new PrefixCache(10);
        cache.put(blocks(1, 2, 3));

        assertThat(cache.hitTokens(demand(2_000, 1, 2, 9))).isEqualTo(1_024);
        assertThat(cache.hitTokens(demand(2_000, 9, 2, 3))).isZero();
        assertThat(cache.hitTokens(demand(1_536, 1, 2, 3))).isEqualTo(1_535);
    }

    @Test
    void the_last_blocks_of_the_oldest_prompt_go_first() {
        var cache = new PrefixCache(4);
        cache.put(blocks(1, 2, 3));
        cache.put(blocks(7, 8));

        assertThat(cache.hitTokens(demand(2_000, 1, 2, 3))).isEqualTo(1_024);
        assertThat(cache.hitTokens(demand(2_000, 7, 8))).isEqualTo(1_024);
    }

    @Test
    void no_cache_hits_nothing() {
        var cache = new PrefixCache(0);
        cache.put(blocks(1));

        assertThat(cache.hitTokens(demand(2_000, 1))).isZero();
    }

    /** 512 tokens are 2 KiB: eight blocks of 256 B, then two of 1 KiB each, then one of 4 KiB for two. */
    @Test
    void a_prompt_is_chained_in_productions_blocks() {
        assertThat(chained(1)).isEqualTo(8);
        assertThat(chained(2)).isEqualTo(10);
        assertThat(chained(8)).isEqualTo(22);
        assertThat(chained(9)).isEqualTo(22);
        assertThat(chained(10)).isEqualTo(23);
        assertThat(chained(200)).isEqualTo(64);
        assertThat(PromptBlocks.tokensOf(23)).isEqualTo(5_120);
    }

    @Test
    void an_incomplete_last_block_is_none() {
        assertThat(PromptBlocks.of(List.of(1L, 2L), 1_023).size()).isEqualTo(1);
        assertThat(PromptBlocks.of(List.of(1L), 511)).isSameAs(PromptBlocks.NONE);
    }

    @Test
    void a_hit_saves_its_prefill() {
        var events = new EventQueue();
        List<SimRequest> completed = new ArrayList<>();
        var engine = new BatchEngine(events, BatchProfile.LLAMA_8B_H100, 100, ColdStart.NONE, completed::add);
        Demand demand = Demand.ofTokens(8_192, 2, blocks(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));

        long first = ttft(events, engine, demand);
        long second = ttft(events, engine, demand);

        assertThat(second).isLessThan(first / 3);
        assertThat(completed).extracting(each -> each.hitTokens).containsExactly(0, 15 * 512);
    }

    @Test
    void more_users_share_the_first_block_only() {
        Recording one = SharedPrefixes.generated(50, 1, 1);

        Recording three = one.times(3);

        assertThat(three.size()).isEqualTo(150);
        for (int row = 1; row < 150; row++)
            assertThat(three.atNanos(row)).isGreaterThanOrEqualTo(three.atNanos(row - 1));
        assertThat(three.spanNanos()).isEqualTo(one.spanNanos() + 120_000_000_000L);
    }

    private static long ttft(EventQueue events, Engine engine, Demand demand) {
        var router = new SimRouter(
                "router-0",
                1,
                List.of(),
                (image, nowNanos) -> null,
                new RawPeers(),
                Policy.Hearing.NOTHING,
                events.nowNanos());
        var request = new SimRequest(router, 1, new ReplicaCell(), demand, events.nowNanos(), true);
        engine.admit(request);
        events.runUntil(events.nowNanos() + 60_000_000_000L);
        return request.firstTokenNanos - request.sentNanos;
    }

    private int chained(int blocks) {
        long[] ids = new long[blocks];
        for (int i = 0; i < blocks; i++) ids[i] = i + 1;
        PromptBlocks.of(ids, blocks).chain(chain, 1);
        return chain.blocks();
    }

    private static Demand demand(int tokens, long... ids) {
        return Demand.ofTokens(tokens, 1, blocks(ids));
    }

    private static PromptBlocks blocks(long... ids) {
        return PromptBlocks.of(ids, ids.length);
    }
}
