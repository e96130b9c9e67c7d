package dev.penstock.core.rate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.ledger.HolderId;
import dev.penstock.core.ledger.OwnerBook;
import dev.penstock.core.ledger.Rules;
import dev.penstock.core.ledger.Sync;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShareOwnerTest {
    private static final HolderId A = new HolderId("a", 1);
    private static final HolderId B = new HolderId("b", 1);
    private static final RateLimit LARGE = new RateLimit(200_000);
    private static final RateLimit SMALL = new RateLimit(5_000);
    private static final long TICK = ShareSplit.PERIOD_NANOS;

    private final OwnerBook book = new OwnerBook(1, Rules.ALL);
    private final ShareOwner owner = new ShareOwner(book, 0);

    ShareOwnerTest() {
        book.factsRead();
        join(A);
        join(B);
    }

    @Test
    void nobody_asked_yet_so_shares_are_equal() {
        assertThat(owner.plan(LARGE, 0)).containsExactly(grant(A, 500, 0), grant(B, 500, 0));
        assertThat(book.home(0)).isZero();
    }

    @Test
    void shares_follow_demand_with_a_lot_for_each_and_take_fill_along() {
        owner.plan(LARGE, 0);
        owner.reported(A, 40, 1, 0);

        assertThat(owner.plan(LARGE, TICK)).containsExactly(new ShareMove.Recall(B, LARGE.lot()));
        owner.returned(B, 1, new SharesMoved(450, 3_000_000));

        assertThat(owner.grants(LARGE)).containsExactly(grant(A, 450, 3_000_000));
        assertThat(owner.homeMicros()).isZero();
    }

    @Test
    void what_is_within_a_tenth_stays() {
        owner.plan(LARGE, 0);
        owner.reported(A, 21, 1, 0);
        owner.reported(B, 20, 1, 0);

        assertThat(owner.plan(LARGE, TICK)).isEmpty();
    }

    @Test
    void of_a_small_rate_all_is_lent_to_one_who_has_waiters() {
        owner.reported(B, 1, 1, 0);
        assertThat(owner.plan(SMALL, 0)).containsExactly(grant(B, 1_000, 0));

        owner.asked(A, 1);
        owner.asked(B, 0);

        assertThat(owner.plan(SMALL, TICK)).containsExactly(new ShareMove.Recall(B, 0));
    }

    @Test
    void a_turn_lasts_a_second_while_both_wait() {
        owner.reported(A, 1, 1, 0);
        owner.reported(B, 1, 1, 0);
        assertThat(owner.plan(SMALL, 0)).containsExactly(grant(A, 1_000, 0));

        owner.reported(A, 1, 1, 9 * TICK);
        owner.reported(B, 1, 1, 9 * TICK);
        assertThat(owner.plan(SMALL, 9 * TICK)).isEmpty();
        assertThat(owner.plan(SMALL, 10 * TICK)).containsExactly(new ShareMove.Recall(A, 0));
    }

    @Test
    void a_silent_holder_keeps_its_shares() {
        owner.plan(LARGE, 0);
        owner.silent(A);
        owner.reported(B, 40, 1, 0);

        assertThat(owner.plan(LARGE, TICK)).isEmpty();
        assertThat(book.out(A, 0)).isEqualTo(500);
    }

    @Test
    void what_is_home_does_not_go_to_one_who_has_not_reported() {
        owner.plan(LARGE, 0);
        owner.reported(A, 10, 1, 3 * TICK);
        owner.plan(LARGE, 3 * TICK);
        assertThat(book.out(B, 0)).isEqualTo(500);
        owner.returned(A, 1, new SharesMoved(500, 0));

        assertThat(owner.plan(LARGE, 3 * TICK)).containsExactly(grant(A, 500, 0));
    }

    @Test
    void less_than_a_lot_does_not_go_out() {
        owner.reported(A, 1, 1, 0);
        owner.plan(SMALL, 0);
        owner.reported(A, 0, 0, TICK);
        owner.reported(B, 1, 1, TICK);
        assertThat(owner.plan(SMALL, TICK)).containsExactly(new ShareMove.Recall(A, 0));
        owner.returned(A, 1, new SharesMoved(400, 100_000));

        assertThat(owner.grants(SMALL)).isEmpty();

        owner.returned(A, 1, new SharesMoved(600, 100_000));
        assertThat(owner.grants(SMALL)).containsExactly(grant(B, 1_000, 200_000));
    }

    @Test
    void a_dead_holder_s_shares_go_out_empty() {
        owner.plan(LARGE, 0);

        owner.died(A);

        assertThat(owner.plan(LARGE, TICK)).containsExactly(grant(B, 500, 0));
    }

    @Test
    void a_new_owner_grants_nothing_that_a_silent_holder_may_have() {
        OwnerBook next = new OwnerBook(2, Rules.ALL);
        ShareOwner second = new ShareOwner(next, 0);
        next.registered(A);
        next.registered(B);
        next.factsRead();
        next.sync(new Sync(A, 2, 2, new int[] {400}));
        second.reachable(A, 0);
        assertThat(second.plan(LARGE, 0)).isEmpty();

        next.sync(new Sync(B, 2, 2, new int[] {500}));
        second.reachable(B, 0);

        assertThat(second.plan(LARGE, TICK)).isEqualTo(List.of(grant(A, 100, 0)));
    }

    private void join(HolderId holder) {
        book.registered(holder);
        book.sync(new Sync(holder, 1, 1, new int[] {0}));
        owner.reachable(holder, 0);
    }

    private static ShareMove grant(HolderId to, int shares, long fillMicros) {
        return new ShareMove.Grant(to, new SharesMoved(shares, fillMicros));
    }
}
