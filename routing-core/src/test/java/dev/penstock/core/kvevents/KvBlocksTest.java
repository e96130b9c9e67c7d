package dev.penstock.core.kvevents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.core.prefix.PrefixChain;
import dev.penstock.testkit.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KvBlocksTest {
    private static final String MODEL = "org/m";
    private static final int BLOCK = 16;
    private static final int BLOCK_BYTES = BLOCK * 4;

    private final Set<Long> held = new LinkedHashSet<>();
    private final KvBlocks blocks = blocks(1_000);

    @Test
    void a_prompts_bytes_and_its_tokens_have_the_same_hashes() throws Exception {
        Seeds.run(random -> {
            for (int bytes : new int[] {64, 256, 320, 2_048, 2_112, 17_000, 188_416, 250_000}) {
                held.clear();
                KvBlocks cache = blocks(10_000);
                byte[] prompt = text(bytes / BLOCK_BYTES * BLOCK_BYTES, random);

                store(cache, prompt, random);

                assertThat(held).containsExactlyElementsOf(hashes(prompt, MODEL, null));
                assertThat(cache.leftOut()).isZero();
            }
        });
    }

    @Test
    void prompts_that_part_inside_a_block_of_the_chain_share_what_they_share() throws Exception {
        Seeds.run(random -> {
            byte[] one = text(4_096, random);
            byte[] other = one.clone();
            other[1_000]++;
            store(blocks, one, random);
            int before = held.size();

            store(blocks, other, random);

            Set<Long> both = new LinkedHashSet<>(hashes(one, MODEL, null));
            both.addAll(hashes(other, MODEL, null));
            assertThat(held).isEqualTo(both);
            assertThat(held).hasSize(before + 7);
        });
    }

    @Test
    void a_prefix_is_gone_with_the_last_block_that_ends_it() {
        // tokens of 3 bytes: 16 of them are 48, so that the chain's block ends inside the sixth
        TokenTable threes = new TokenTable(List.of(new byte[] {1, 1, 1}, new byte[] {2, 2, 2}, new byte[] {3, 3, 3}));
        KvBlocks cache = new KvBlocks(threes, MODEL, 100, listener());
        int[] same = new int[5 * BLOCK];
        cache.apply(stored(0, true, new long[] {1, 2, 3, 4, 5}, same));
        cache.apply(stored(5, false, new long[] {6}, new int[BLOCK]));
        int[] late = new int[BLOCK];
        late[15] = 2;
        cache.apply(stored(5, false, new long[] {60}, late));
        assertThat(held).hasSize(1);

        cache.apply(new KvEvent.Removed(new long[] {6}));
        assertThat(held).hasSize(1);
        cache.apply(new KvEvent.Removed(new long[] {60, 6}));

        assertThat(held).isEmpty();
        assertThat(cache.blocks()).isEqualTo(5);
    }

    @Test
    void what_is_removed_from_the_tail_is_told_from_the_tail() throws Exception {
        Seeds.run(random -> {
            byte[] prompt = text(1_024, random);
            store(blocks, prompt, random);

            blocks.apply(new KvEvent.Removed(new long[] {16, 15, 14}));

            assertThat(held)
                    .containsExactlyElementsOf(hashes(prompt, MODEL, null).subList(0, 3));
            assertThat(blocks.blocks()).isEqualTo(13);
        });
    }

    @Test
    void a_removed_block_is_kept_for_those_behind_it_and_can_come_back() throws Exception {
        Seeds.run(random -> {
            byte[] prompt = text(1_024, random);
            store(blocks, prompt, random);

            blocks.apply(new KvEvent.Removed(new long[] {4}));

            List<Long> all = hashes(prompt, MODEL, null);
            assertThat(held).containsExactlyElementsOf(all.subList(1, 4));
            assertThat(blocks.blocks()).isEqualTo(16);
            store(blocks, prompt, random);
            assertThat(held).containsExactlyInAnyOrderElementsOf(all);
            for (long hash = 16; hash > 0; hash--) blocks.apply(new KvEvent.Removed(new long[] {hash}));
            assertThat(blocks.blocks()).isZero();
            assertThat(held).isEmpty();
        });
    }

    @Test
    void an_adapter_and_a_salt_are_in_the_seed() throws Exception {
        Seeds.run(random -> {
            byte[] prompt = text(512, random);

            blocks.apply(new KvEvent.Stored(0, true, numbers(1, 8), tokens(prompt), BLOCK, "adapter", "tenant-7", 8));

            assertThat(held).containsExactlyElementsOf(hashes(prompt, "adapter", "tenant-7"));
        });
    }

    @Test
    void what_cannot_be_tied_to_the_beginning_of_a_prompt_is_left_out() throws Exception {
        Seeds.run(random -> {
            int[] tokens = tokens(text(512, random));

            blocks.apply(new KvEvent.Stored(99, false, numbers(1, 8), tokens, BLOCK, null, null, 8));
            assertThat(blocks.leftOut()).isEqualTo(8);
            assertThat(held).isEmpty();

            blocks.apply(new KvEvent.Stored(0, true, numbers(1, 8), tokens, BLOCK, null, null, 4));
            assertThat(blocks.leftOut()).isEqualTo(12);
            assertThat(held).hasSize(1);

            blocks.apply(new KvEvent.Stored(8, false, new long[] {9}, new int[BLOCK], BLOCK, null, null, 1));
            assertThat(blocks.leftOut()).isEqualTo(13);
        });
    }

    @Test
    void a_token_that_the_vocabulary_does_not_have_ends_the_prefix() {
        KvBlocks cache = new KvBlocks(new TokenTable(List.of(new byte[] {1, 2, 3, 4})), MODEL, 100, listener());
        int[] tokens = new int[8 * BLOCK];
        tokens[5 * BLOCK] = 1;

        cache.apply(stored(0, true, numbers(1, 8), tokens));

        assertThat(held).hasSize(1);
        assertThat(cache.blocks()).isEqualTo(5);
        assertThat(cache.leftOut()).isEqualTo(3);
    }

    @Test
    void what_a_tokenizer_puts_before_each_prompt_is_none_of_its_bytes() throws Exception {
        TokenTable table = new TokenTable(List.of(new byte[3], new byte[] {7, 7, 7, 7}), 0);
        KvBlocks cache = new KvBlocks(table, MODEL, 100, listener());
        int[] tokens = new int[5 * BLOCK];
        Arrays.fill(tokens, 1);
        tokens[0] = 0;

        cache.apply(stored(0, true, numbers(1, 5), tokens));

        byte[] text = new byte[256];
        Arrays.fill(text, (byte) 7);
        assertThat(held).containsExactlyElementsOf(hashes(text, MODEL, null));
    }

    @Test
    void it_never_keeps_more_than_it_may() throws Exception {
        Seeds.run(random -> {
            KvBlocks cache = blocks(10);

            store(cache, text(4_096, random), random);

            assertThat(cache.blocks()).isEqualTo(10);
            assertThat(cache.leftOut()).isEqualTo(54);
            assertThat(held).hasSize(2);
        });
    }

    @Test
    void of_large_blocks_it_keeps_as_much_text_as_of_small_ones() throws Exception {
        Seeds.run(random -> {
            KvBlocks cache = blocks(64);
            int[] tokens = tokens(text(64 * 4_096, random));
            KvEvent.Stored large = new KvEvent.Stored(0, true, numbers(1, 64), tokens, 1_024, null, null, 64);

            cache.apply(large);

            assertThat(cache.blocks()).isEqualTo(4);
            assertThat(cache.leftOut()).isEqualTo(60);

            cache.apply(new KvEvent.Removed(numbers(1, 4)));
            assertThat(cache.blocks()).isZero();
            cache.apply(large);
            assertThat(cache.blocks()).isEqualTo(4);
        });
    }

    @Test
    void a_clear_forgets_everything() throws Exception {
        Seeds.run(random -> {
            store(blocks, text(1_024, random), random);

            blocks.apply(new KvEvent.Cleared());

            assertThat(held).isEmpty();
            assertThat(blocks.blocks()).isZero();
            assertThat(blocks.prefixes()).isZero();
        });
    }

    @Test
    void all_that_is_held_can_be_shown_again() throws Exception {
        Seeds.run(random -> {
            for (int i = 0; i < 40; i++) store(blocks, text(512, random), 100L * i);
            for (int i = 0; i < 40; i += 2) blocks.apply(new KvEvent.Removed(new long[] {100L * i + 8}));

            List<Long> shown = new ArrayList<>();
            blocks.visit(0, blocks.places(), shown::add);

            assertThat(shown).hasSize(60).containsExactlyInAnyOrderElementsOf(held);
        });
    }

    @Test
    void counts_that_do_not_fit_are_named() {
        assertThatThrownBy(() -> stored(0, true, numbers(1, 2), new int[31])).hasMessageContaining("2 blocks of 16");
    }

    private KvBlocks blocks(int most) {
        return new KvBlocks(Vocabulary.BYTES4, MODEL, most, listener());
    }

    private KvBlocks.Listener listener() {
        return new KvBlocks.Listener() {
            @Override
            public void stored(long prefixHash) {
                assertThat(held.add(prefixHash)).isTrue();
            }

            @Override
            public void removed(long prefixHash) {
                assertThat(held.remove(prefixHash)).isTrue();
            }

            @Override
            public void cleared() {
                held.clear();
            }
        };
    }

    /** In events of 1 to 9 blocks. An engine's hash of a block is here a number that equal prefixes share. */
    private static void store(KvBlocks cache, byte[] prompt, RandomGenerator random) {
        int[] tokens = tokens(prompt);
        int count = tokens.length / BLOCK;
        long[] hashes = new long[count];
        for (int i = 0; i < count; i++) {
            hashes[i] = prompt.length <= 1_024
                    ? i + 1
                    : Arrays.hashCode(Arrays.copyOf(prompt, (i + 1) * BLOCK_BYTES)) * 31L + i;
        }
        for (int from = 0; from < count; ) {
            int to = Math.min(count, from + 1 + random.nextInt(9));
            cache.apply(stored(
                    from == 0 ? 0 : hashes[from - 1],
                    from == 0,
                    Arrays.copyOfRange(hashes, from, to),
                    Arrays.copyOfRange(tokens, from * BLOCK, to * BLOCK)));
            from = to;
        }
    }

    private static void store(KvBlocks cache, byte[] prompt, long before) {
        int count = prompt.length / BLOCK_BYTES;
        cache.apply(stored(0, true, numbers(before + 1, count), tokens(prompt)));
    }

    private static KvEvent.Stored stored(long parent, boolean root, long[] hashes, int[] tokens) {
        return new KvEvent.Stored(parent, root, hashes, tokens, BLOCK, null, null, hashes.length);
    }

    private static long[] numbers(long first, int count) {
        long[] numbers = new long[count];
        for (int i = 0; i < count; i++) numbers[i] = first + i;
        return numbers;
    }

    private static byte[] text(int bytes, RandomGenerator random) {
        byte[] text = new byte[bytes];
        random.nextBytes(text);
        return text;
    }

    private static int[] tokens(byte[] prompt) {
        int[] tokens = new int[prompt.length / 4];
        for (int i = 0; i < prompt.length; i++) tokens[i / 4] = tokens[i / 4] << 8 | (prompt[i] & 0xFF);
        return tokens;
    }

    private static List<Long> hashes(byte[] prompt, String model, @Nullable String salt) {
        PrefixChain chain = new PrefixChain();
        chain.start(PrefixChain.seed(model, salt));
        chain.add(prompt, 0, prompt.length);
        List<Long> hashes = new ArrayList<>();
        for (int i = 0; i < chain.blocks(); i++) hashes.add(chain.hash(i));
        return hashes;
    }
}
