package dev.penstock.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.core.ledger.OwnerBook.Greeting;
import org.junit.jupiter.api.Test;

class OwnerBookTest {
    private static final long EPOCH = 7;
    private static final HolderId ONE = new HolderId("one", 1);
    private static final HolderId OTHER = new HolderId("other", 2);

    private final OwnerBook book = new OwnerBook(EPOCH, Rules.ALL);

    @Test
    void nothing_is_granted_before_the_facts_are_read() {
        book.limit(0, 2);
        book.registered(ONE);
        sync(ONE, 1, 0);

        assertThat(book.grant(ONE, 0, 1)).isFalse();
        book.factsRead();
        assertThat(book.grant(ONE, 0, 1)).isTrue();
    }

    @Test
    void of_a_holder_that_is_silent_all_is_presumed_held_until_it_comes_back() {
        book.limit(0, 2);
        book.registered(ONE);
        book.registered(OTHER);
        book.factsRead();
        sync(ONE, 1, 1);

        assertThat(book.grantable(0)).isZero();
        book.returned(ONE, 1, 0, 1);
        assertThat(book.grantable(0)).isEqualTo(1);
        sync(OTHER, 1, 0);
        assertThat(book.grantable(0)).isEqualTo(2);
    }

    @Test
    void who_registers_later_holds_nobody_up() {
        book.limit(0, 2);
        book.factsRead();
        book.registered(ONE);

        assertThat(book.grantable(0)).isEqualTo(2);
    }

    @Test
    void a_death_is_known_of_one_whose_registration_is_not() {
        book.limit(0, 2);
        book.died(ONE);
        book.factsRead();

        assertThat(book.grantable(0)).isZero();
        assertThat(book.frozen(ONE, 0)).isTrue();
        book.settled(ONE, 0, EPOCH);
        assertThat(book.grantable(0)).isEqualTo(2);
    }

    @Test
    void the_word_of_a_later_owner_frees_nothing() {
        book.limit(0, 1);
        book.registered(ONE);
        book.factsRead();
        sync(ONE, 1, 1);

        book.deregistered(ONE, EPOCH + 1);
        book.died(ONE);
        book.settled(ONE, 0, EPOCH + 1);

        assertThat(book.home(0)).isZero();
        book.settled(ONE, 0, EPOCH - 1);
        assertThat(book.home(0)).isEqualTo(1);
    }

    @Test
    void only_the_newest_session_of_this_epoch_is_welcome() {
        book.registered(ONE);

        assertThat(book.sync(new Sync(ONE, EPOCH - 1, 1, new int[0]))).isEqualTo(Greeting.OTHER_EPOCH);
        assertThat(book.sync(new Sync(OTHER, EPOCH, 1, new int[0]))).isEqualTo(Greeting.UNKNOWN);
        assertThat(sync(ONE, 2, 0)).isEqualTo(Greeting.WELCOME);
        assertThat(sync(ONE, 1, 0)).isEqualTo(Greeting.OLD_SESSION);
        assertThat(book.returned(ONE, 1, 0, 1)).isFalse();
        book.died(ONE);
        assertThat(sync(ONE, 3, 0)).isEqualTo(Greeting.GONE);
    }

    @Test
    void a_report_that_makes_no_sense_changes_nothing() {
        book.limit(0, 3);
        book.registered(ONE);
        book.factsRead();
        sync(ONE, 1, 2);

        assertThatThrownBy(() -> book.sync(new Sync(ONE, EPOCH, 2, new int[] {1, -1})))
                .hasMessageContaining("-1");

        assertThat(book.session(ONE)).isEqualTo(1);
        assertThat(book.out(ONE, 0)).isEqualTo(2);
        assertThatThrownBy(() -> book.returned(ONE, 1, 0, -2)).hasMessageContaining("-2");
    }

    @Test
    void a_lowered_limit_takes_the_first_that_comes_back() {
        book.limit(0, 2);
        book.registered(ONE);
        book.registered(OTHER);
        book.factsRead();
        sync(ONE, 1, 1);
        book.limit(0, 1);

        book.returned(ONE, 1, 0, 1);

        assertThat(book.grantable(0)).isZero();
    }

    @Test
    void a_new_owner_takes_the_first_that_comes_back_of_a_limit_lowered_before_its_time() {
        book.limit(0, 1, 2);
        book.registered(ONE);
        book.registered(OTHER);
        book.factsRead();
        sync(ONE, 1, 1);

        book.returned(ONE, 1, 0, 1);

        assertThat(book.grantable(0)).isZero();
        sync(OTHER, 1, 0);
        assertThat(book.grantable(0)).isEqualTo(1);
    }

    @Test
    void of_a_limit_without_a_history_nothing_goes_out_until_all_have_reported() {
        book.limit(0, 2, SlotCell.MOST);
        book.registered(ONE);
        book.registered(OTHER);
        book.factsRead();
        sync(ONE, 1, 1);

        book.returned(ONE, 1, 0, 1);

        assertThat(book.grantable(0)).isZero();
        sync(OTHER, 1, 1);
        assertThat(book.grantable(0)).isEqualTo(1);
    }

    @Test
    void a_dead_holder_is_forgotten_once_it_is_settled_everywhere() {
        book.limit(0, 1);
        book.limit(1, 1);
        book.registered(ONE);
        book.factsRead();
        book.died(ONE);

        assertThat(book.forget(ONE)).isFalse();
        book.settled(ONE, 0, EPOCH);
        assertThat(book.forget(ONE)).isFalse();
        book.settled(ONE, 1, EPOCH);
        assertThat(book.forget(ONE)).isTrue();

        assertThat(book.knows(ONE)).isFalse();
        assertThat(book.returned(ONE, -1, 0, 1)).isFalse();
        assertThat(sync(ONE, 1, 1)).isEqualTo(Greeting.UNKNOWN);
    }

    @Test
    void who_left_is_forgotten_at_once_and_who_lives_is_not() {
        book.registered(ONE);
        book.registered(OTHER);
        book.factsRead();
        book.deregistered(ONE, EPOCH);

        assertThat(book.forget(ONE)).isTrue();
        assertThat(book.forget(OTHER)).isFalse();
    }

    @Test
    void an_index_is_free_when_all_its_slots_are_home_or_its_engine_is_gone() {
        book.limit(0, 2);
        book.registered(ONE);
        book.factsRead();
        sync(ONE, 1, 1);

        assertThat(book.forgetReplica(0, false)).isFalse();
        assertThat(book.forgetReplica(0, true)).isTrue();
        assertThat(book.out(ONE, 0)).isZero();
        assertThat(book.limit(0)).isZero();
        book.limit(0, 3);
        assertThat(book.grantable(0)).isEqualTo(3);
        assertThat(book.forgetReplica(0, false)).isTrue();
    }

    private Greeting sync(HolderId id, long session, int held) {
        return book.sync(new Sync(id, EPOCH, session, new int[] {held}));
    }
}
