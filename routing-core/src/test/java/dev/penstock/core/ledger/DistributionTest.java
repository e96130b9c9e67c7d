package dev.penstock.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DistributionTest {
    /** One replica; the reports of a quiet start are in. */
    private static HeldPool pool(int holders, int limit) {
        HeldPool pool = new HeldPool(holders, 1, limit, 1);
        for (int g = 0; g < holders; g++) pool.report(g, 0, 0);
        pool.rebalance();
        pool.sent.clear();
        return pool;
    }

    private static void uses(HeldPool pool, int holder, int slots) {
        for (int i = 0; i < slots; i++) assertThat(pool.admit(holder, 0)).isTrue();
    }

    @Test
    void slots_live_at_holders() {
        HeldPool pool = pool(4, 24);

        for (int g = 0; g < 4; g++) assertThat(pool.held(g, 0)).isEqualTo(6);
        assertThat(pool.owner.home(0)).isZero();
    }

    @Test
    void what_is_spare_follows_the_demand() {
        HeldPool pool = pool(2, 24);

        for (int period = 0; period < 10; period++) {
            pool.report(0, 0, 30);
            pool.report(1, 0, 10);
            pool.rebalance();
        }

        assertThat(pool.held(0, 0)).isBetween(16, 18);
        assertThat(pool.held(0, 0) + pool.held(1, 0)).isEqualTo(24);
    }

    @Test
    void a_tenth_of_the_limit_is_not_worth_a_move() {
        HeldPool pool = pool(2, 24);

        for (int period = 0; period < 10; period++) {
            pool.report(0, 0, 13);
            pool.report(1, 0, 11);
            pool.rebalance();
        }

        assertThat(pool.sent).isEmpty();
    }

    @Test
    void a_holder_that_is_short_over_the_whole_pool_gets_even_single_slots() {
        HeldPool pool = new HeldPool(2, 10, 4, 1);
        for (int g = 0; g < 2; g++) pool.report(g, 0, 0);
        pool.rebalance();
        for (int i = 0; i < 9; i++) while (pool.admit(0, i)) {}

        pool.report(0, 0, 0);
        pool.rebalance();

        int free = 0;
        for (int i = 0; i < 10; i++) free += pool.held(0, i) - pool.used(0, i);
        // 9 halves and 2 are its due, 2 it had
        assertThat(free).isBetween(5, 9);
    }

    @Test
    void an_ask_brings_a_spare_slot_in_one_hop() {
        HeldPool pool = pool(2, 4);
        uses(pool, 0, 2);
        pool.report(0, 0, 2);

        pool.ask(0, 1);

        assertThat(pool.sent).containsExactly("RECALL r1 0 1", "GRANT r0 0 1");
        assertThat(pool.admit(0, 0)).isTrue();
    }

    @Test
    void an_ask_takes_from_who_has_most_to_spare() {
        HeldPool pool = pool(3, 9);
        uses(pool, 0, 3);
        uses(pool, 1, 2);
        pool.report(0, 0, 0);
        pool.report(1, 0, 0);

        pool.ask(0, 2);

        assertThat(pool.held(0, 0)).isEqualTo(5);
        assertThat(pool.held(1, 0)).isEqualTo(3);
        assertThat(pool.held(2, 0)).isEqualTo(1);
    }

    @Test
    void a_grant_to_who_was_recalled_lifts_the_recall_first() {
        HeldPool pool = pool(2, 4);
        uses(pool, 0, 2);
        pool.report(0, 0, 2);
        pool.ask(0, 1);
        uses(pool, 0, 1);
        uses(pool, 1, 1);
        pool.report(1, 0, 1);
        pool.release(0, 0);
        pool.report(0, 0, 0);
        pool.sent.clear();

        pool.ask(1, 1);

        assertThat(pool.sent).containsExactly("RECALL r0 0 2", "RECALL r1 0 all", "GRANT r1 0 1");
        assertThat(pool.admit(1, 0)).isTrue();
    }

    @Test
    void a_recalled_slot_that_is_in_use_comes_when_it_is_released() {
        HeldPool pool = pool(2, 4);
        uses(pool, 0, 2);
        pool.report(0, 0, 2);
        uses(pool, 1, 2);

        pool.ask(0, 1);
        assertThat(pool.held(0, 0)).isEqualTo(2);
        pool.release(1, 0);

        assertThat(pool.held(0, 0)).isEqualTo(3);
    }

    @Test
    void where_needs_do_not_fit_a_tenth_of_the_limit_is_on_recall_at_a_time() {
        HeldPool pool = new HeldPool(1, 1, 40, 1);
        pool.report(0, 0, 0);
        pool.rebalance();
        uses(pool, 0, 40);
        HolderBook late = new HolderBook(new HolderId("r1", 1), 0, Rules.ALL);
        pool.holders.add(late);
        pool.owner.registered(late.id());
        pool.owner.sync(late.open(1));
        pool.distribution.joined(late.id());
        pool.report(0, 30, 0);
        pool.report(1, 30, 0);
        pool.sent.clear();

        pool.rebalance();

        assertThat(pool.sent).containsExactly("RECALL r0 0 36");
        for (int i = 0; i < 10; i++) pool.release(0, 0);
        assertThat(pool.held(1, 0)).isEqualTo(4);
    }

    @Test
    void fewer_slots_than_holders_rest_at_their_number_and_move_for_an_ask() {
        HeldPool pool = new HeldPool(3, 4, 1, 1);
        for (int g = 0; g < 3; g++) pool.report(g, 0, 0);
        pool.rebalance();
        for (int i = 0; i < 4; i++) assertThat(pool.held(i % 3, i)).isEqualTo(1);
        pool.report(0, 0, 0);
        pool.sent.clear();

        pool.ask(1, 1);

        assertThat(pool.sent).containsExactly("RECALL r0 0 0", "GRANT r1 0 1");
    }

    @Test
    void a_draining_replica_is_called_home_and_stays_there() {
        HeldPool pool = pool(2, 4);
        uses(pool, 0, 1);
        pool.owner.draining(0, true);
        pool.report(0, 1, 1);

        pool.rebalance();
        assertThat(pool.owner.home(0)).isEqualTo(3);
        pool.release(0, 0);
        pool.ask(1, 1);
        pool.rebalance();

        assertThat(pool.owner.allHome(0)).isTrue();
    }

    @Test
    void what_is_above_a_lowered_limit_is_called_home() {
        HeldPool pool = pool(2, 40);
        pool.owner.limit(0, 10);

        pool.rebalance();

        assertThat(pool.held(0, 0) + pool.held(1, 0)).isEqualTo(10);
    }

    @Test
    void slots_of_who_is_gone_are_not_shared_out() {
        HeldPool pool = pool(2, 4);
        pool.distribution.left(pool.holders.get(1).id());
        pool.owner.died(pool.holders.get(1).id());

        pool.ask(0, 2);
        pool.rebalance();

        assertThat(pool.held(0, 0)).isEqualTo(2);
        assertThat(pool.owner.home(0)).isZero();
    }

    @Test
    void after_another_sync_recalls_are_sent_again() {
        HeldPool pool = pool(2, 4);
        uses(pool, 0, 2);
        uses(pool, 1, 2);
        pool.report(0, 0, 0);
        pool.report(1, 0, 0);
        pool.owner.limit(0, 2);
        pool.rebalance();
        assertThat(pool.sent).containsExactly("RECALL r0 0 1", "RECALL r1 0 1");
        pool.owner.sync(pool.holders.get(1).open(1));
        pool.distribution.joined(pool.holders.get(1).id());
        pool.sent.clear();

        pool.rebalance();

        assertThat(pool.sent).containsExactly("RECALL r1 0 1");
    }

    @Test
    void a_loaded_engine_becomes_idle_for_a_thaw_and_gets_its_slots_back_after_it() {
        HeldPool pool = new HeldPool(3, 2, 6, 1);
        for (int i = 0; i < 3; i++) pool.report(i, 0, 1);
        pool.rebalance();
        HolderId dead = pool.holders.get(2).id();
        assertThat(pool.held(2, 0)).isPositive();
        while (pool.admit(0, 0)) {}
        pool.distribution.left(dead);
        pool.owner.died(dead);

        pool.owner.thawing(0, true);
        for (int i = 0; i < 2; i++) pool.report(i, 1, 1);
        pool.rebalance();
        assertThat(pool.admit(1, 0)).isFalse();
        while (pool.used(0, 0) > 0) pool.release(0, 0);

        assertThat(pool.held(0, 0) + pool.held(1, 0)).isZero();
        pool.owner.settled(dead, 0, 1);
        pool.owner.thawing(0, false);
        for (int i = 0; i < 2; i++) pool.report(i, 0, 1);
        pool.rebalance();
        assertThat(pool.held(0, 0) + pool.held(1, 0)).isEqualTo(6);
    }

    @Test
    void an_index_that_was_forgotten_serves_another_replica() {
        HeldPool pool = new HeldPool(2, 1, 4, 1);
        for (int i = 0; i < 2; i++) pool.report(i, 0, 1);
        pool.rebalance();
        pool.owner.draining(0, true);
        pool.rebalance();

        assertThat(pool.owner.forgetReplica(0, false)).isTrue();
        pool.distribution.forgotten(0);
        pool.owner.limit(0, 2);
        pool.rebalance();

        assertThat(pool.owner.home(0)).isZero();
    }
}
