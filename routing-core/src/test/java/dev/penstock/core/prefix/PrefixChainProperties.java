package dev.penstock.core.prefix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class PrefixChainProperties {
    private static final int MOST_BYTES = 200 * 1024;

    @Property(tries = 200, seed = "1")
    void pieces_of_any_size_give_the_hashes_of_the_whole(
            @ForAll @IntRange(max = MOST_BYTES) int length,
            @ForAll @IntRange(min = 1, max = 5_000) int mostPiece,
            @ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] bytes = bytes(length, random);
        PrefixChain whole = chain(seed, bytes, length);
        PrefixChain pieces = new PrefixChain();
        pieces.start(seed);

        for (int at = 0; at < length; ) {
            int piece = Math.min(length - at, random.nextInt(mostPiece + 1));
            pieces.add(bytes, at, piece);
            at += piece;
        }

        assertThat(hashes(pieces)).isEqualTo(hashes(whole));
        assertThat(pieces.bytes()).isEqualTo(whole.bytes());
    }

    @Property(tries = 200, seed = "1")
    void a_hash_stands_for_every_byte_before_it_and_none_after(
            @ForAll @IntRange(min = 256, max = MOST_BYTES) int length, @ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] bytes = bytes(length, random);
        PrefixChain before = chain(1, bytes, length);
        int changed = random.nextInt(length);
        bytes[changed]++;
        PrefixChain after = chain(1, bytes, length);

        for (int i = 0; i < before.blocks(); i++) {
            boolean covers = PrefixChain.bytesOf(i + 1) > changed;
            assertThat(before.hash(i) != after.hash(i)).isEqualTo(covers);
        }
    }

    @Property(tries = 100, seed = "1")
    void different_seeds_share_nothing(@ForAll long seed, @ForAll long other) {
        byte[] bytes = bytes(MOST_BYTES, new SplittableRandom(1));
        Set<Long> hashes = new HashSet<>();

        for (long each : hashes(chain(seed, bytes, MOST_BYTES))) hashes.add(each);
        for (long each : hashes(chain(other, bytes, MOST_BYTES))) hashes.add(each);

        assertThat(hashes).hasSize(seed == other ? 64 : 128).doesNotContain(0L);
    }

    /** 8 x 256 B, 14 x 1 KiB, 42 x 4 KiB; an incomplete block is none. */
    @Example
    void blocks_grow() {
        assertThat(blocksOf(255)).isZero();
        assertThat(blocksOf(256)).isEqualTo(1);
        assertThat(blocksOf(2_048)).isEqualTo(8);
        assertThat(blocksOf(3_071)).isEqualTo(8);
        assertThat(blocksOf(3_072)).isEqualTo(9);
        assertThat(blocksOf(16_384)).isEqualTo(22);
        assertThat(blocksOf(20_479)).isEqualTo(22);
        assertThat(blocksOf(20_480)).isEqualTo(23);
        assertThat(blocksOf(184 * 1024)).isEqualTo(PrefixChain.MAX_BLOCKS);
        assertThat(blocksOf(MOST_BYTES)).isEqualTo(PrefixChain.MAX_BLOCKS);
        assertThat(chain(1, new byte[MOST_BYTES], MOST_BYTES).bytes()).isEqualTo(184 * 1024);
    }

    /** Of the bytes 0 to 255; anybody can compute it with another implementation. */
    @Example
    void the_first_hash_is_xxh64() {
        byte[] bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) bytes[i] = (byte) i;

        assertThat(chain(7, bytes, bytes.length).hash(0)).isEqualTo(Reference.xxh64(bytes, 7));
    }

    @Example
    void model_and_salt_seed() {
        assertThat(PrefixChain.seed("llama", null)).isEqualTo(PrefixChain.seed("llama", null));
        assertThat(Set.of(
                        PrefixChain.seed("llama", null),
                        PrefixChain.seed("llama", ""),
                        PrefixChain.seed("llama", "a"),
                        PrefixChain.seed("llam", "aa"),
                        PrefixChain.seed("a", "llama"),
                        PrefixChain.seed("qwen", null)))
                .hasSize(6);
    }

    @Example
    void blocks_known_by_ids_chain_too() {
        PrefixChain one = new PrefixChain();
        PrefixChain other = new PrefixChain();
        one.start(1);
        other.start(1);

        for (long id : new long[] {5, 6, 7}) one.addBlock(id);
        for (long id : new long[] {5, 8, 7}) other.addBlock(id);

        assertThat(one.hash(0)).isEqualTo(other.hash(0));
        assertThat(one.hash(1)).isNotEqualTo(other.hash(1));
        assertThat(one.hash(2)).isNotEqualTo(other.hash(2));
        assertThat(one.bytes()).isEqualTo(768);
        one.add(new byte[1], 0, 1);
        assertThatThrownBy(() -> one.addBlock(1)).hasMessage("prefix: block 3 is begun with bytes, expected none");
    }

    /** XXH64 as its specification writes it, of a multiple of 32 bytes. */
    private static final class Reference {
        static long xxh64(byte[] bytes, long seed) {
            long p1 = 0x9E3779B185EBCA87L;
            long p2 = 0xC2B2AE3D27D4EB4FL;
            long p3 = 0x165667B19E3779F9L;
            long p4 = 0x85EBCA77C2B2AE63L;
            long[] acc = {seed + p1 + p2, seed + p2, seed, seed - p1};
            for (int at = 0; at < bytes.length; at += 8) {
                long value = 0;
                for (int i = 7; i >= 0; i--) value = value << 8 | bytes[at + i] & 0xFF;
                int lane = at / 8 % 4;
                acc[lane] = Long.rotateLeft(acc[lane] + value * p2, 31) * p1;
            }
            long all = 0;
            int[] turns = {1, 7, 12, 18};
            for (int lane = 0; lane < 4; lane++) all += Long.rotateLeft(acc[lane], turns[lane]);
            for (long each : acc) all = (all ^ Long.rotateLeft(each * p2, 31) * p1) * p1 + p4;
            all += bytes.length;
            all = (all ^ all >>> 33) * p2;
            all = (all ^ all >>> 29) * p3;
            return all ^ all >>> 32;
        }
    }

    private static int blocksOf(int length) {
        return chain(1, new byte[length], length).blocks();
    }

    private static PrefixChain chain(long seed, byte[] bytes, int length) {
        PrefixChain chain = new PrefixChain();
        chain.start(seed);
        chain.add(bytes, 0, length);
        return chain;
    }

    private static byte[] bytes(int length, SplittableRandom random) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static long[] hashes(PrefixChain chain) {
        long[] hashes = new long[chain.blocks()];
        for (int i = 0; i < hashes.length; i++) hashes[i] = chain.hash(i);
        return hashes;
    }
}
