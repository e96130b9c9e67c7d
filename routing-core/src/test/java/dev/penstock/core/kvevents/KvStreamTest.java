package dev.penstock.core.kvevents;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class KvStreamTest {
    private static final int BLOCK = 64;

    private final KvBlocks blocks = new KvBlocks(Vocabulary.BYTES4, "m", 100, new KvBlocks.Listener() {
        @Override
        public void stored(long prefixHash) {}

        @Override
        public void removed(long prefixHash) {}

        @Override
        public void cleared() {}
    });
    private final KvStream stream = new KvStream(blocks);

    @Test
    void messages_in_order_are_applied() {
        assertThat(stream.message(0, block(1))).isTrue();
        assertThat(stream.message(1, block(2))).isTrue();

        assertThat(blocks.blocks()).isEqualTo(2);
        assertThat(stream.next()).isEqualTo(2);
    }

    @Test
    void a_new_subscriber_asks_for_what_was_before_it() {
        assertThat(stream.message(2, block(3))).isFalse();
        assertThat(stream.next()).isZero();
        stream.replayed(0, block(1));
        stream.replayed(1, block(2));
        stream.replayed(2, block(3));
        stream.replayed(3, block(4));
        stream.replayEnded();

        assertThat(blocks.blocks()).isEqualTo(3);
        assertThat(stream.next()).isEqualTo(3);
        assertThat(stream.gaps()).isZero();
        assertThat(stream.message(3, block(4))).isTrue();
    }

    @Test
    void what_is_told_again_fills_a_gap() {
        stream.message(0, block(1));

        assertThat(stream.message(3, block(4))).isFalse();
        assertThat(stream.next()).isEqualTo(1);
        stream.replayed(1, block(2));
        stream.replayed(2, remove(1));
        stream.replayEnded();

        assertThat(blocks.blocks()).isEqualTo(2);
        assertThat(stream.gaps()).isEqualTo(1);
        assertThat(stream.message(4, block(5))).isTrue();
    }

    @Test
    void a_gap_that_is_not_filled_forgets_what_may_be_gone() {
        stream.message(0, block(1));

        stream.message(5, block(6));
        stream.replayed(3, block(4));
        stream.replayed(4, block(5));
        stream.replayEnded();
        assertThat(blocks.blocks()).isEqualTo(3);

        stream.message(9, block(10));
        stream.replayed(6, block(7));
        stream.replayEnded();
        assertThat(blocks.blocks()).isEqualTo(1);
    }

    @Test
    void an_engine_that_began_anew_holds_nothing_of_before() {
        for (int i = 0; i < 10; i++) stream.message(i, block(i + 1));

        assertThat(stream.message(0, block(20))).isTrue();
        assertThat(blocks.blocks()).isEqualTo(1);
        assertThat(stream.restarts()).isEqualTo(1);
    }

    @Test
    void a_restart_whose_beginning_was_missed_is_told_again_from_its_beginning() {
        for (int i = 0; i < 10; i++) stream.message(i, block(i + 1));

        assertThat(stream.message(1, block(21))).isFalse();
        assertThat(stream.next()).isZero();
        stream.replayed(0, block(20));
        stream.replayEnded();

        assertThat(blocks.blocks()).isEqualTo(2);
    }

    @Test
    void a_lost_connection_forgets_everything() {
        stream.message(0, block(1));

        stream.forget();

        assertThat(blocks.blocks()).isZero();
        assertThat(stream.message(1, block(2))).isFalse();
        assertThat(stream.gaps()).isZero();
    }

    @Test
    void an_idle_engine_tells_what_it_told_before_and_nothing_counts_twice() {
        stream.reached();
        stream.replayed(0, block(1));
        stream.replayed(1, block(2));
        stream.replayEnded();
        assertThat(blocks.blocks()).isEqualTo(2);

        assertThat(stream.message(1, block(2))).isTrue();
        assertThat(stream.message(2, block(3))).isTrue();
        assertThat(blocks.blocks()).isEqualTo(3);
        assertThat(stream.restarts()).isZero();
        assertThat(stream.message(0, block(9))).isTrue();
        assertThat(stream.restarts()).isEqualTo(1);
        assertThat(blocks.blocks()).isEqualTo(1);
    }

    private static List<KvEvent> block(long hash) {
        return List.of(new KvEvent.Stored(0, true, new long[] {hash}, new int[BLOCK], BLOCK, null, null, 1));
    }

    private static List<KvEvent> remove(long hash) {
        return List.of(new KvEvent.Removed(new long[] {hash}));
    }
}
