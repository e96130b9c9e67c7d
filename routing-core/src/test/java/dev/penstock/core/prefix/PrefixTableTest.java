package dev.penstock.core.prefix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class PrefixTableTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long TTL = 600 * SECOND;
    private static final long NOW = -5 * TTL;

    private final PrefixTable table = new PrefixTable(10_000, TTL);
    private final PrefixMatch match = new PrefixMatch();

    @Test
    void the_longest_match_comes_first() {
        table.learn(chain(1, 2, 3), 10, NOW);
        table.learn(chain(1, 2, 3, 4, 5), 11, NOW);
        table.learn(chain(1, 7), 12, NOW);

        assertThat(table.find(chain(1, 2, 3, 4, 5, 6), NOW, match)).isEqualTo(5);

        assertThat(owners()).containsExactly("11:5", "10:3", "12:1");
        assertThat(match.wideBlocks()).isZero();
        assertThat(match.blocksOf(10)).isEqualTo(3);
        assertThat(match.blocksOf(99)).isZero();
    }

    @Test
    void nothing_is_known_of_another_prompt_or_of_none() {
        table.learn(chain(1, 2, 3), 10, NOW);

        assertThat(table.find(chain(2, 2, 3), NOW, match)).isZero();
        assertThat(table.find(chain(), NOW, match)).isZero();
        assertThat(match.owners()).isZero();
    }

    @Test
    void a_replica_counts_until_the_ttl_is_over() {
        table.learn(chain(1, 2), 10, NOW);
        table.learn(chain(1), 10, NOW + TTL / 2);

        assertThat(table.find(chain(1, 2), NOW + TTL, match)).isEqualTo(2);
        assertThat(table.find(chain(1, 2), NOW + TTL + TTL / 4, match)).isEqualTo(1);
        assertThat(table.find(chain(1, 2), NOW + 2 * TTL, match)).isZero();
    }

    @Test
    void what_more_than_four_have_favours_nobody() {
        for (int number = 1; number <= 5; number++) table.learn(chain(1, 2, number), number, NOW);

        assertThat(table.find(chain(1, 2, 3), NOW, match)).isEqualTo(3);

        assertThat(owners()).containsExactly("3:3");
        assertThat(match.wideBlocks()).isEqualTo(2);
        assertThat(match.blocksOf(99)).isEqualTo(2);
    }

    @Test
    void four_owners_beyond_what_everybody_has_hide_nothing() {
        for (int number = 1; number <= 5; number++) table.learn(chain(1, 2, 100 + number), number, NOW);
        for (int number = 6; number <= 9; number++) table.learn(chain(1, 2, 3, 4), number, NOW);

        table.find(chain(1, 2, 3, 4, 5), NOW, match);

        assertThat(owners()).containsExactlyInAnyOrder("6:4", "7:4", "8:4", "9:4");
        assertThat(match.wideBlocks()).isEqualTo(2);
    }

    @Test
    void a_fifth_owner_takes_the_place_of_one_not_seen_for_long() {
        for (int number = 1; number <= 4; number++) table.learn(chain(1), number, NOW + number * SECOND);
        table.learn(chain(1), 5, NOW + TTL / 4);

        table.find(chain(1), NOW + TTL / 4, match);

        assertThat(owners()).containsExactlyInAnyOrder("2:1", "3:1", "4:1", "5:1");
    }

    @Test
    void what_is_learned_is_news_once_an_eighth_of_the_ttl() {
        PrefixChain chain = chain(1, 2);
        assertThat(table.learn(chain, 10, NOW)).isEqualTo(0b11);
        assertThat(table.learn(chain, 10, NOW + SECOND)).isZero();
        assertThat(table.learn(chain, 11, NOW + SECOND)).isEqualTo(0b11);
        assertThat(table.learn(chain(1, 2, 3), 10, NOW + 2 * SECOND)).isEqualTo(0b100);

        int news = 0;
        for (long at = NOW; at < NOW + TTL; at += SECOND) if (table.learn(chain.hash(0), 10, at)) news++;
        assertThat(news).isBetween(7, 9);
    }

    @Test
    void one_owner_of_a_block_can_be_forgotten() {
        PrefixChain chain = chain(1, 2);
        table.learn(chain, 10, NOW);
        table.learn(chain, 11, NOW);

        table.forget(chain.hash(1), 10);
        table.find(chain, NOW, match);
        assertThat(owners()).containsExactly("11:2", "10:1");

        table.forget(chain.hash(1), 11);
        assertThat(table.find(chain, NOW, match)).isEqualTo(1);
        assertThat(table.size()).isEqualTo(1);
    }

    @Test
    void a_replica_that_lost_its_cache_counts_again_from_what_it_is_sent_next() {
        table.learn(chain(1, 2), 10, NOW);
        table.learn(chain(1, 2), 11, NOW);

        table.forgetReplica(10);
        table.find(chain(1, 2), NOW, match);
        assertThat(owners()).containsExactly("11:2");

        table.learn(chain(1), 10, NOW + SECOND);
        table.find(chain(1, 2), NOW + SECOND, match);
        assertThat(owners()).containsExactly("11:2", "10:1");
    }

    /** A record that clears also tells what is held now, and a router that starts reads ten minutes at once. */
    @Test
    void what_is_told_after_a_cache_was_lost_counts_at_once() {
        for (int life = 0; life < 3; life++) {
            table.learn(chain(1, 2, 3), 10, NOW);
            table.forgetReplica(10);
            assertThat(table.find(chain(1, 2, 3), NOW, match)).isZero();

            table.learn(chain(1, 2), 10, NOW);
            assertThat(table.find(chain(1, 2, 3), NOW, match)).isEqualTo(2);
            assertThat(owners()).containsExactly("10:2");
            table.forgetReplica(10);
        }
        table.learn(chain(1, 2), 10, NOW - SECOND);
        assertThat(table.find(chain(1, 2), NOW, match)).as("seen before").isZero();
    }

    @Test
    void what_is_read_back_is_as_old_as_it_was() {
        table.learn(chain(1), 10, NOW);

        assertThat(table.learn(chain(1), 11, NOW - TTL / 2)).isOne();
        assertThat(table.learn(chain(1), 10, NOW - TTL / 2)).isZero();

        table.find(chain(1), NOW + TTL / 4, match);
        assertThat(owners()).containsExactly("10:1", "11:1");
        table.find(chain(1), NOW + TTL * 3 / 4, match);
        assertThat(owners()).containsExactly("10:1");
    }

    @Test
    void holds_no_more_than_it_may_and_keeps_what_was_used_last() {
        SplittableRandom random = new SplittableRandom(1);
        PrefixChain kept = chain(1, 2, 3, 4, 5, 6, 7, 8);
        for (int i = 0; i < 100_000; i++) {
            long now = NOW + i * SECOND / 200;
            if (i % 1_000 == 0) table.learn(kept, 7, now);
            table.learn(random.nextLong(), i % 50, now);
        }

        assertThat(table.size()).isLessThanOrEqualTo(10_000).isGreaterThan(9_900);
        assertThat(table.find(kept, NOW + 500 * SECOND, match)).isEqualTo(8);
        assertThat(owners()).containsExactly("7:8");
    }

    /** Against a list of who has what, walked block by block. */
    @Test
    void finds_what_a_walk_over_all_blocks_finds() throws Exception {
        Seeds.run(random -> {
            for (int round = 0; round < 300; round++) {
                PrefixTable fresh = new PrefixTable(100_000, TTL);
                long[] ids = random.longs(PrefixChain.MAX_BLOCKS).toArray();
                int replicas = 1 + random.nextInt(4);
                int[] has = new int[replicas];
                for (int number = 0; number < replicas; number++) {
                    has[number] = random.nextInt(PrefixChain.MAX_BLOCKS + 1);
                    fresh.learn(chain(ids, has[number]), number, NOW);
                }
                int asked = random.nextInt(PrefixChain.MAX_BLOCKS + 1);

                fresh.find(chain(ids, asked), NOW, match);

                List<String> expected = new ArrayList<>();
                for (int number = 0; number < replicas; number++) {
                    int matched = Math.min(has[number], asked);
                    if (matched > 0) expected.add(number + ":" + matched);
                }
                assertThat(owners()).containsExactlyInAnyOrderElementsOf(expected);
                for (int i = 1; i < match.owners(); i++) {
                    assertThat(match.blocks(i)).isLessThanOrEqualTo(match.blocks(i - 1));
                }
            }
        });
    }

    /** A block that was pushed out hides neither those before it nor those after it. */
    @Test
    void one_missing_block_hides_nothing() {
        long[] ids = new SplittableRandom(3).longs(40).toArray();
        for (int missing = 0; missing < 39; missing++) {
            PrefixTable fresh = new PrefixTable(100_000, TTL);
            PrefixChain chain = chain(ids, 40);
            fresh.learn(chain, 10, NOW);
            fresh.forget(chain.hash(missing), 10);

            int found = fresh.find(chain, NOW, match);

            assertThat(found).as("without block %d", missing).isGreaterThanOrEqualTo(missing);
        }
    }

    /** What is told of a hash was learned of it, whatever other threads write in its places meanwhile. */
    @Test
    void no_thread_sees_another_hashs_owners() throws Exception {
        PrefixTable small = new PrefixTable(64, TTL);
        AtomicBoolean wrong = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            int seed = t;
            threads.add(Thread.ofPlatform().start(() -> {
                SplittableRandom random = new SplittableRandom(seed);
                PrefixMatch found = new PrefixMatch();
                for (int i = 0; i < 200_000; i++) {
                    int id = random.nextInt(500);
                    PrefixChain chain = chain(id);
                    if (random.nextBoolean()) small.learn(chain, id, NOW + i * 1_000_000L);
                    else small.find(chain, NOW + i * 1_000_000L, found);
                    if (found.owners() > 0 && found.blocks(0) == 1 && found.replica(0) != id) wrong.set(true);
                    found.clear();
                }
            }));
        }
        for (Thread each : threads) each.join();

        assertThat(wrong).isFalse();
        assertThat(small.size()).isLessThanOrEqualTo(64);
    }

    @Test
    void refuses_sizes_that_it_cannot_have() {
        assertThatThrownBy(() -> new PrefixTable(7, TTL)).hasMessageStartingWith("prefix table: most blocks 7");
        assertThatThrownBy(() -> new PrefixTable(8, 999_999)).hasMessageStartingWith("prefix table: TTL 999999 ns");
    }

    private List<String> owners() {
        List<String> owners = new ArrayList<>();
        for (int i = 0; i < match.owners(); i++) owners.add(match.replica(i) + ":" + match.blocks(i));
        return owners;
    }

    private static PrefixChain chain(long... ids) {
        return chain(ids, ids.length);
    }

    private static PrefixChain chain(long[] ids, int blocks) {
        PrefixChain chain = new PrefixChain();
        chain.start(1);
        for (int i = 0; i < blocks; i++) chain.addBlock(ids[i]);
        return chain;
    }
}
