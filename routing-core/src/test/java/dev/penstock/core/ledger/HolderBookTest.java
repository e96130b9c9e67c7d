package dev.penstock.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class HolderBookTest {
    private static final long EPOCH = 4;

    private final HolderBook book = new HolderBook(new HolderId("r", 1), EPOCH, Rules.ALL);

    @Test
    void while_there_is_no_stream_slots_are_used_and_none_is_given_back() {
        long session = book.open(EPOCH).session();
        book.granted(EPOCH, session, 0, 2);
        book.cell(0).admit();
        book.recalled(EPOCH, session, 0, 1);

        book.closed();

        assertThat(book.cell(0).release()).isFalse();
        assertThat(book.giveBack(0)).isZero();
        assertThat(book.cell(0).admit()).isTrue();
        assertThat(book.granted(EPOCH, session, 0, 1)).isFalse();
        assertThat(book.open(EPOCH).held()).containsExactly(1);
    }

    @Test
    void a_claim_older_than_its_registration_is_not_followed() {
        assertThat(book.mayFollow(EPOCH - 1)).isFalse();
        assertThatThrownBy(() -> book.open(EPOCH - 1)).hasMessageContaining("3");
    }

    @Test
    void one_that_leaves_gives_back_on_a_new_stream_and_takes_nothing_there() {
        long first = book.open(EPOCH).session();
        book.granted(EPOCH, first, 0, 1);
        book.leave();
        book.closed();

        long second = book.open(EPOCH).session();

        assertThat(book.granted(EPOCH, second, 0, 1)).isFalse();
        assertThat(book.mayDeregister()).isFalse();
        assertThat(book.giveBack(0, 1)).isEqualTo(1);
        assertThat(book.mayDeregister()).isTrue();
    }
}
