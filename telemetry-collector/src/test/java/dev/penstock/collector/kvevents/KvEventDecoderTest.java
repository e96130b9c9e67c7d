package dev.penstock.collector.kvevents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.core.kvevents.KvEvent;
import dev.penstock.testkit.Seeds;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.msgpack.core.MessageBufferPacker;
import org.msgpack.core.MessagePack;

/** The bytes that engines send; encoded by hand from what vLLM and SGLang document. */
class KvEventDecoderTest {
    private static final String ARRAYS =
            "93cb41daac4ee02000009399ab426c6f636b53746f72656492c420000102030405060708090a0b0c0d0e0f10111213141516171122334455667788c420000102030405060708090a0b0c0d0e0f1011121314151617fffffffffffffffec09401cd012cce00011170ceffffffff02c0a3475055c0c093ac426c6f636b52656d6f76656491c420000102030405060708090a0b0c0d0e0f10111213141516171122334455667788a347505591b0416c6c426c6f636b73436c656172656400";
    private static final String MAPS =
            "92cb41daac4ee0200000938ba474797065ab426c6f636b53746f726564ac626c6f636b5f6861736865739305cffffffffffffffffe07b1706172656e745f626c6f636b5f68617368c0a9746f6b656e5f69647393010203aa626c6f636b5f73697a6501a76c6f72615f696403a66d656469756da3475055a96c6f72615f6e616d65a26164aa65787472615f6b6579739392a26164a674656e616e7491a2616492a2616492a3696d6700a967726f75705f69647800b26b765f63616368655f737065635f6b696e64a466756c6c82a474797065ac426c6f636b52656d6f766564ac626c6f636b5f686173686573910581a474797065b0416c6c426c6f636b73436c6561726564";
    private static final String SGLANG =
            "93cb41daac4ee02000009497ab426c6f636b53746f72656491fb0992070802c0a347505597ab426c6f636b53746f7265649106fb92070802c0aa4350555f50494e4e454493ac426c6f636b52656d6f76656491fba347505593ac426c6f636b52656d6f7665649106aa4350555f50494e4e454400";
    private static final String IGNORED =
            "94cb41daac4ee02000009599ab426c6f636b53746f72656491c420000102030405060708090a0b0c0d0e0f10111213141516171122334455667788c09010c0a753544f52414745c0c09aab426c6f636b53746f72656491c420000102030405060708090a0b0c0d0e0f10111213141516171122334455667788c0910101c0a3475055c0c00199ab426c6f636b53746f72656491c420000102030405060708090a0b0c0d0e0f10111213141516171122334455667788c091010104a3475055c0c093a646757475726581a16191010283a474797065ac426c6f636b52656d6f766564ac626c6f636b5f6861736865739101a967726f75705f69647802c0a46d6f7265";

    @Test
    void arrays_with_hashes_of_32_bytes() throws Exception {
        List<KvEvent> events = decode(ARRAYS);

        assertThat(events).hasSize(3);
        KvEvent.Stored stored = (KvEvent.Stored) events.get(0);
        assertThat(stored.hashes()).containsExactly(0x1122334455667788L, -2);
        assertThat(stored.root()).isTrue();
        assertThat(stored.tokens()).containsExactly(1, 300, 70_000, -1);
        assertThat(stored.blockSize()).isEqualTo(2);
        assertThat(stored.model()).isNull();
        assertThat(stored.salt()).isNull();
        assertThat(stored.usable()).isEqualTo(2);
        assertThat(((KvEvent.Removed) events.get(1)).hashes()).containsExactly(0x1122334455667788L);
        assertThat(events.get(2)).isEqualTo(new KvEvent.Cleared());
    }

    @Test
    void maps_with_numbers_adapters_and_further_keys() throws Exception {
        List<KvEvent> events = decode(MAPS);

        assertThat(events).hasSize(3);
        KvEvent.Stored stored = (KvEvent.Stored) events.get(0);
        assertThat(stored.hashes()).containsExactly(5, -2, 7);
        assertThat(stored.root()).isTrue();
        assertThat(stored.model()).isEqualTo("ad");
        assertThat(stored.salt()).isEqualTo("tenant");
        assertThat(stored.usable()).isEqualTo(2);
        assertThat(((KvEvent.Removed) events.get(1)).hashes()).containsExactly(5);
        assertThat(events.get(2)).isEqualTo(new KvEvent.Cleared());
    }

    @Test
    void signed_numbers_and_the_gpu_tier_only() throws Exception {
        List<KvEvent> events = decode(SGLANG);

        assertThat(events).hasSize(2);
        KvEvent.Stored stored = (KvEvent.Stored) events.get(0);
        assertThat(stored.hashes()).containsExactly(-5);
        assertThat(stored.root()).isFalse();
        assertThat(stored.parent()).isEqualTo(9);
        assertThat(((KvEvent.Removed) events.get(1)).hashes()).containsExactly(-5);
    }

    @Test
    void other_tiers_groups_unnamed_adapters_and_unknown_events_are_left_alone() throws Exception {
        assertThat(decode(IGNORED)).isEmpty();
    }

    @Test
    void a_list_that_claims_more_than_there_is_is_refused() {
        String stored = "93c091" + "99ab426c6f636b53746f726564";
        for (String hex : List.of("", "93c0dcffff", stored + "ddffffffff", stored + "dd00ffffff")) {
            assertThatThrownBy(() -> decode(hex)).isInstanceOf(MalformedEventsException.class);
        }
    }

    @Test
    void a_block_of_more_tokens_than_any_engine_has_is_refused() throws Exception {
        try (MessageBufferPacker packer = MessagePack.newDefaultBufferPacker()) {
            packer.packArrayHeader(2).packDouble(1).packArrayHeader(1).packArrayHeader(5);
            packer.packString("BlockStored").packArrayHeader(1).packLong(7).packNil();
            packer.packArrayHeader(65_537);
            for (int i = 0; i < 65_537; i++) packer.packInt(1);
            packer.packInt(65_537);
            byte[] message = packer.toByteArray();

            assertThatThrownBy(() -> KvEventDecoder.decode(message))
                    .isInstanceOf(MalformedEventsException.class)
                    .rootCause()
                    .hasMessage("block_size: expected at most 65536 tokens, got 65537");
        }
    }

    @Test
    void broken_bytes_are_refused_or_read_and_nothing_else() throws Exception {
        Seeds.run(random -> {
            for (String golden : List.of(ARRAYS, MAPS, SGLANG, IGNORED)) {
                byte[] bytes = HexFormat.of().parseHex(golden);
                for (int i = 0; i < 2_000; i++) {
                    byte[] broken = Arrays.copyOf(bytes, 1 + random.nextInt(bytes.length));
                    for (int k = random.nextInt(4); k > 0; k--) {
                        broken[random.nextInt(broken.length)] = (byte) random.nextInt();
                    }
                    try {
                        KvEventDecoder.decode(broken);
                    } catch (MalformedEventsException expected) {
                        assertThat(expected).isNotNull();
                    }
                }
            }
        });
    }

    private static List<KvEvent> decode(String hex) throws MalformedEventsException {
        return KvEventDecoder.decode(HexFormat.of().parseHex(hex));
    }
}
