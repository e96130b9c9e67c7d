package dev.penstock.enginesim.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class KvCacheTest {
    private static final int BLOCKS = 100;

    @Test
    void a_known_block_is_shared_and_stays_findable_when_nobody_holds_it() {
        KvCache cache = new KvCache(10);
        BlockHashes prompt = BlockHashes.of(1, new int[16]);
        cache.take(1);
        int slot = cache.learn(prompt.at(0));

        cache.share(prompt.at(0));
        assertThat(cache.held()).isEqualTo(1);
        cache.release(slot);
        cache.release(slot);

        assertThat(cache.held()).isZero();
        assertThat(cache.idle()).isEqualTo(1);
        assertThat(cache.free()).isEqualTo(10);
        assertThat(cache.knownPrefix(prompt, 5)).isEqualTo(1);
    }

    @Test
    void a_second_block_of_the_same_content_stays_its_holders_alone() {
        KvCache cache = new KvCache(10);
        cache.take(2);
        cache.learn(7);

        assertThat(cache.learn(7)).isEqualTo(KvCache.UNKNOWN);
    }

    @Test
    void a_smaller_cache_forgets_at_once_what_nobody_holds() {
        KvCache cache = new KvCache(10);
        cache.take(4);
        int[] slots = {cache.learn(1), cache.learn(2), cache.learn(3)};
        cache.release(slots[2]);
        cache.release(slots[0]);

        cache.limitTo(3);

        assertThat(cache.held()).isEqualTo(2);
        assertThat(cache.idle()).isEqualTo(1);
        assertThat(cache.free()).isEqualTo(1);
        cache.limitTo(1);
        assertThat(cache.free()).isZero();
    }

    /** Against a plain map: random holds, releases and evictions keep the same blocks known, in the same order. */
    @Property(tries = 100, seed = "1")
    void it_behaves_like_a_map_with_a_queue(@ForAll @LongRange(min = 0) long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        KvCache cache = new KvCache(BLOCKS);
        Map<Long, Integer> holders = new LinkedHashMap<>();
        LinkedHashMap<Long, Integer> idle = new LinkedHashMap<>();
        List<Long> held = new ArrayList<>();
        Map<Long, Integer> slots = new LinkedHashMap<>();
        for (int i = 0; i < 3000; i++) {
            long hash = random.nextInt(300) * 0x9E3779B97F4A7C15L;
            if (random.nextBoolean() && !held.isEmpty()) {
                long released = held.remove(random.nextInt(held.size()));
                cache.release(slots.get(released));
                if (holders.merge(released, -1, Integer::sum) == 0) {
                    holders.remove(released);
                    idle.put(released, slots.get(released));
                }
            } else if (holders.containsKey(hash) || idle.containsKey(hash)) {
                slots.put(hash, cache.share(hash));
                idle.remove(hash);
                holders.merge(hash, 1, Integer::sum);
                held.add(hash);
            } else if (cache.free() > 0) {
                cache.take(1);
                if (holders.size() + idle.size() == BLOCKS) {
                    idle.remove(idle.firstEntry().getKey());
                }
                slots.put(hash, cache.learn(hash));
                holders.put(hash, 1);
                held.add(hash);
            }
            assertThat(cache.held()).isEqualTo(holders.size());
            assertThat(cache.idle()).isEqualTo(idle.size());
        }
        for (long hash : holders.keySet()) {
            assertThat(cache.learn(hash)).isEqualTo(KvCache.UNKNOWN);
        }
        for (long hash : idle.keySet()) {
            assertThat(cache.learn(hash)).isEqualTo(KvCache.UNKNOWN);
        }
    }
}
