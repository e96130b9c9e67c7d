package dev.penstock.admission.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.ledger.HolderId;
import dev.penstock.testkit.record.ReplicaBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PoolLedgerTest {
    private final LedgerScene scene = new LedgerScene(1);

    private static void settle(LedgerScene.Owner owner, MemoryHolder... holders) {
        for (int i = 0; i < 10; i++) {
            for (MemoryHolder each : holders) {
                each.report(0, 0);
                each.deliverAll();
            }
            owner.tick();
            for (MemoryHolder each : holders) each.deliverAll();
        }
    }

    private static Refusal refusal(MemoryHolder holder) {
        MemoryHolder.Link link = holder.newest();
        return link == null ? null : link.refusal;
    }

    @Test
    void slots_go_to_the_holders_that_are_there() {
        scene.replica(7, 10).replica(40, 3);
        MemoryHolder a = scene.holder("a", 1);
        MemoryHolder b = scene.holder("b", 2);
        var owner = scene.owner().ready();
        a.connected(owner);
        b.connected(owner);
        settle(owner, a, b);
        assertThat(a.held(7) + b.held(7)).isEqualTo(10);
        assertThat(a.held(40) + b.held(40)).isEqualTo(3);
        assertThat(a.held(7)).isBetween(4, 6);
        assertThat(scene.sums(owner)).isEqualTo(new PoolSums(0, 13, 0, 0, 2, 0));
    }

    @Test
    void nothing_is_granted_before_the_facts_are_read() {
        scene.replica(1, 4);
        MemoryHolder a = scene.holder("a", 1);
        var owner = scene.owner();
        owner.read();
        a.connected(owner);
        a.ask(3);
        settle(owner, a);
        assertThat(a.newest().welcome).isTrue();
        assertThat(a.held(1)).isZero();
        owner.ready();
        settle(owner, a);
        assertThat(a.held(1)).isEqualTo(4);
    }

    @Test
    void a_waiter_gets_what_another_does_not_use_within_one_exchange() {
        scene.replica(1, 1);
        MemoryHolder a = scene.holder("a", 1);
        MemoryHolder b = scene.holder("b", 2);
        var owner = scene.owner().ready();
        a.connected(owner);
        b.connected(owner);
        settle(owner, a, b);
        MemoryHolder rich = a.held(1) == 1 ? a : b;
        MemoryHolder poor = rich == a ? b : a;
        poor.ask(1);
        poor.deliverAll();
        rich.deliverAll();
        poor.deliverAll();
        assertThat(poor.held(1)).isEqualTo(1);
        assertThat(rich.held(1)).isZero();
    }

    @Test
    void a_holder_of_which_nothing_was_read_is_asked_for_once_more() {
        scene.replica(1, 4);
        var owner = scene.owner().ready();
        MemoryHolder late = scene.holder("late", 3).connected(owner);
        assertThat(late.newest().welcome).isTrue();
        MemoryHolder stranger = new MemoryHolder(new HolderId("stranger", 9), 0).connected(owner);
        assertThat(refusal(stranger)).isEqualTo(Refusal.UNKNOWN);
        scene.kafkaAway = true;
        MemoryHolder unread = scene.holder("unread", 4).connected(owner);
        assertThat(refusal(unread)).isEqualTo(Refusal.UNREAD);
    }

    @Test
    void what_comes_before_the_welcome_is_taken_after_it() {
        scene.replica(1, 4);
        MemoryHolder a = scene.holder("a", 1);
        var before = scene.owner().ready();
        a.connected(before);
        settle(before, a);
        scene.registrations.clear();
        var owner = scene.owner().ready();
        scene.slowReads = true;
        scene.registrations.add(ledger -> ledger.registered(a.id));
        a.open(owner);
        a.giveBack(1);
        a.deliverAll();
        assertThat(a.newest().welcome).isFalse();
        scene.readings.forEach(Runnable::run);
        assertThat(owner.out(a.id, 1)).isZero();
        a.deliverAll();
        assertThat(a.newest().welcome).isTrue();
    }

    @Test
    void a_new_owner_presumes_held_what_nobody_reported() {
        scene.replica(1, 4);
        MemoryHolder a = scene.holder("a", 1);
        MemoryHolder b = scene.holder("b", 2);
        var first = scene.owner().ready();
        a.connected(first);
        b.connected(first);
        settle(first, a, b);
        int heldByB = b.held(1);
        assertThat(heldByB).isPositive();

        var second = scene.owner().ready();
        a.connected(second);
        settle(second, a);
        assertThat(second.grantable(1)).isZero();
        assertThat(scene.sums(second)).isEqualTo(new PoolSums(0, a.held(1), 0, heldByB, 1, 0));
        scene.clock.advance(Duration.ofSeconds(11));
        assertThat(scene.sums(second).unprovenDead()).isEqualTo(1);
        b.connected(second);
        settle(second, a, b);
        assertThat(scene.sums(second)).isEqualTo(new PoolSums(0, 4, 0, 0, 2, 0));
    }

    @Test
    void streams_of_another_epoch_an_old_session_or_a_dead_holder_are_refused() {
        scene.replica(1, 4);
        MemoryHolder a = scene.holder("a", 1);
        var first = scene.owner().ready();
        var second = scene.owner().ready();
        a.open(first);
        var stale = a.newest();
        a.connected(second);
        assertThat(a.newest().welcome).isTrue();
        second.ledger.sync(stale, a.id, first.epoch, 9, new int[0], new int[0], new int[0], 0);
        assertThat(stale.refusal).isEqualTo(Refusal.OTHER_EPOCH);
        second.ledger.sync(stale, a.id, second.epoch, a.newest().session, new int[0], new int[0], new int[0], 0);
        assertThat(stale.refusal).isEqualTo(Refusal.OLD_SESSION);
        scene.died(a);
        second.read();
        assertThat(refusal(a)).isEqualTo(Refusal.GONE);
        a.connected(second);
        assertThat(refusal(a)).isEqualTo(Refusal.GONE);
    }

    @Test
    void a_newer_stream_ends_the_one_before() {
        scene.replica(1, 4);
        MemoryHolder a = scene.holder("a", 1);
        var owner = scene.owner().ready();
        a.connected(owner);
        settle(owner, a);
        var old = a.newest();
        Follower before = old.follower;
        a.connected(owner);
        assertThat(old.closed).isTrue();
        owner.ledger.returned(before, new int[] {1}, new int[] {4});
        assertThat(owner.out(a.id, 1)).isEqualTo(4);
        owner.ledger.ended(before);
        assertThat(scene.sums(owner).holders()).isEqualTo(1);
    }

    @Test
    void who_returns_what_it_does_not_have_is_refused_and_the_pool_stands() {
        scene.replica(1, 4);
        MemoryHolder a = scene.holder("a", 1).connected(scene.owner().ready());
        var owner = scene.owner().ready();
        a.connected(owner);
        settle(owner, a);
        Follower follower = a.newest().follower;
        owner.ledger.returned(follower, new int[] {1}, new int[] {5});
        assertThat(refusal(a)).isEqualTo(Refusal.MALFORMED);
        assertThat(owner.out(a.id, 1)).isEqualTo(4);
        assertThat(scene.sums(owner).holders()).isZero();
        a.connected(owner);
        assertThat(a.newest().welcome).isTrue();
    }

    @Test
    void slots_of_the_dead_come_home_when_the_engine_was_seen_idle_twice_after_that() {
        scene.replica(1, 4).replica(2, 4);
        MemoryHolder a = scene.holder("a", 1);
        var owner = scene.owner().ready();
        a.connected(owner);
        settle(owner, a);
        owner.scraped(1, 0);
        scene.died(a);
        owner.read();
        assertThat(scene.sums(owner)).isEqualTo(new PoolSums(0, 0, 8, 0, 0, 0));
        owner.scraped(1, 0);
        owner.scraped(1, 0);
        assertThat(owner.home(1)).as("claims were not read since").isZero();
        owner.tick();
        owner.scraped(1, 0);
        owner.scraped(1, 1);
        owner.scraped(1, 0);
        assertThat(owner.home(1)).as("once in a row").isZero();
        owner.scraped(1, 0);
        assertThat(owner.home(1)).isEqualTo(4);
        assertThat(owner.home(2)).isZero();
        owner.tick();

        var next = scene.owner().ready();
        assertThat(next.grantable(1)).as("settled by its predecessor").isEqualTo(4);
        assertThat(next.grantable(2)).isZero();
        next.tick();
        next.scraped(2, 0);
        next.scraped(2, 0);
        next.tick();
        assertThat(scene.owner().ready().grantable(1))
                .as("told again with what is new")
                .isEqualTo(4);
    }

    @Test
    void an_engine_under_load_gets_no_requests_until_the_slots_of_the_dead_are_home() {
        scene.replica(1, 4);
        MemoryHolder a = scene.holder("a", 1);
        MemoryHolder b = scene.holder("b", 2);
        var owner = scene.owner().ready();
        a.connected(owner);
        b.connected(owner);
        settle(owner, a, b);
        assertThat(b.held(1)).isEqualTo(2);
        scene.died(a);
        owner.read();
        owner.tick();
        for (int i = 0; i < 10; i++) owner.scraped(1, 2);
        settle(owner, b);
        assertThat(b.held(1)).as("recalled").isZero();
        owner.scraped(1, 0);
        owner.scraped(1, 0);
        settle(owner, b);
        assertThat(b.held(1)).isEqualTo(4);
    }

    @Test
    void a_displaced_owner_settles_nobody() {
        scene.replica(1, 4);
        MemoryHolder a = scene.holder("a", 1);
        var old = scene.owner().ready();
        a.connected(old);
        settle(old, a);
        scene.owner().ready();
        scene.died(a);
        old.read();
        old.tick();
        old.scraped(1, 0);
        old.scraped(1, 0);
        assertThat(old.home(1)).isZero();
    }

    @Test
    void claims_that_could_not_be_read_are_read_again() {
        scene.replica(1, 4);
        MemoryHolder a = scene.holder("a", 1);
        var owner = scene.owner().ready();
        a.connected(owner);
        settle(owner, a);
        scene.died(a);
        owner.read();
        scene.kafkaAway = true;
        owner.tick();
        owner.scraped(1, 0);
        owner.scraped(1, 0);
        assertThat(owner.home(1)).isZero();
        scene.kafkaAway = false;
        for (int i = 0; i < 11; i++) owner.tick();
        owner.scraped(1, 0);
        owner.scraped(1, 0);
        assertThat(owner.home(1)).isEqualTo(4);
    }

    @Test
    void a_restart_after_the_death_settles_and_one_that_may_have_been_before_does_not() {
        scene.replica(1, 4);
        MemoryHolder a = scene.holder("a", 1);
        var owner = scene.owner().ready();
        a.connected(owner);
        settle(owner, a);
        scene.died(a);
        owner.read();
        owner.tick();
        long read = scene.clock.getAsLong();
        owner.ledger.restarted(1, read);
        assertThat(owner.home(1)).as("it may have been alive before the death").isZero();
        owner.ledger.restarted(1, read + 1);
        assertThat(owner.home(1)).isEqualTo(4);
    }

    @Test
    void a_new_uid_is_no_restart() {
        scene.replica(1, 4);
        MemoryHolder a = scene.holder("a", 1);
        var owner = scene.owner().ready();
        a.connected(owner);
        settle(owner, a);
        scene.died(a);
        owner.read();
        owner.tick();
        scene.clock.advance(Duration.ofSeconds(60));
        owner.ledger.gone(LedgerScene.replica(1));
        owner.ledger.present(ReplicaBuilder.replica(1).uid("uid-2").build(), 4, 4);
        owner.tick();
        assertThat(owner.home(1)).isZero();
    }

    @Test
    void slots_of_the_dead_at_a_number_that_moved_thaw_by_both_endpoints() {
        scene.replica(1, 4);
        MemoryHolder a = scene.holder("a", 1);
        var owner = scene.owner().ready();
        a.connected(owner);
        settle(owner, a);
        scene.died(a);
        owner.read();
        owner.tick();
        owner.ledger.present(ReplicaBuilder.replica(1).port(30_001).build(), 4, 4);
        owner.ledger.present(ReplicaBuilder.replica(2).port(20_001).build(), 4, 4);
        owner.tick();
        owner.scraped(1, 0);
        owner.scraped(1, 0);
        assertThat(owner.out(a.id, 1)).as("where it was it may still run").isEqualTo(4);
        owner.scraped(2, 0);
        owner.scraped(2, 0);
        assertThat(owner.out(a.id, 1)).isZero();
        owner.tick();
        assertThat(owner.grantable(1)).isEqualTo(4);
        assertThat(owner.grantable(2)).isEqualTo(4);
    }

    @Test
    void a_successor_goes_on_while_its_predecessors_slots_are_frozen() {
        scene.replica(1, 4);
        MemoryHolder a = scene.holder("a", 1);
        MemoryHolder b = scene.holder("b", 2);
        var owner = scene.owner().ready();
        a.connected(owner);
        b.connected(owner);
        settle(owner, a, b);
        int frozen = b.held(1);
        scene.died(b);
        MemoryHolder next = scene.holder("b", 3).connected(owner);
        settle(owner, a, next);
        assertThat(a.held(1) + next.held(1)).isEqualTo(4 - frozen);
        owner.scraped(1, 0);
        owner.scraped(1, 0);
        settle(owner, a, next);
        assertThat(a.held(1) + next.held(1)).isEqualTo(4);
    }

    @Test
    void who_left_holds_nothing_and_one_that_went_over_is_not_believed() {
        scene.replica(1, 4);
        MemoryHolder a = scene.holder("a", 1);
        MemoryHolder b = scene.holder("b", 2);
        var owner = scene.owner().ready();
        a.connected(owner);
        b.connected(owner);
        settle(owner, a, b);
        int heldByB = b.held(1);
        owner.ledger.left(b.id, owner.epoch + 1);
        assertThat(owner.out(b.id, 1)).isEqualTo(heldByB);
        b.book.leave();
        b.giveBack(1);
        b.deliverAll();
        owner.ledger.left(b.id, owner.epoch);
        settle(owner, a);
        assertThat(a.held(1)).isEqualTo(4);
    }

    @Test
    void a_lowered_limit_takes_back_what_is_free_and_the_rest_when_it_ends() {
        scene.replica(1, 6);
        MemoryHolder a = scene.holder("a", 1);
        var owner = scene.owner().ready();
        a.connected(owner);
        settle(owner, a);
        for (int i = 0; i < 4; i++) assertThat(a.admit(1)).isTrue();
        owner.ledger.present(LedgerScene.replica(1), 3, 3);
        settle(owner, a);
        assertThat(a.held(1)).isEqualTo(4);
        assertThat(a.admit(1)).isFalse();
        a.release(1);
        settle(owner, a);
        assertThat(a.held(1)).isEqualTo(3);
        assertThat(owner.home(1)).isZero();
    }

    @Test
    void a_draining_replica_gets_all_its_slots_back() {
        scene.replica(1, 4).replica(2, 4);
        MemoryHolder a = scene.holder("a", 1);
        var owner = scene.owner().ready();
        a.connected(owner);
        settle(owner, a);
        owner.ledger.draining(1, true);
        settle(owner, a);
        assertThat(a.held(1)).isZero();
        assertThat(a.held(2)).isEqualTo(4);
        assertThat(owner.home(1)).isEqualTo(4);
        owner.ledger.draining(1, false);
        settle(owner, a);
        assertThat(a.held(1)).isEqualTo(4);
    }

    @Test
    void an_endpoint_that_changes_hands_gets_slots_when_those_of_the_number_before_are_home() {
        scene.replica(1, 4);
        MemoryHolder a = scene.holder("a", 1);
        var owner = scene.owner().ready();
        a.connected(owner);
        settle(owner, a);
        assertThat(a.admit(1)).isTrue();
        owner.ledger.gone(LedgerScene.replica(1));
        var follows = ReplicaBuilder.replica(2).port(20_001).build();
        owner.ledger.present(follows, 4, 4);
        settle(owner, a);
        assertThat(a.held(1)).isEqualTo(1);
        assertThat(a.held(2)).isZero();
        a.release(1);
        settle(owner, a);
        assertThat(a.held(2)).isEqualTo(4);
    }

    @Test
    void the_slots_of_the_dead_at_a_replica_that_is_gone_thaw_by_who_has_its_endpoint() {
        scene.replica(1, 4);
        MemoryHolder a = scene.holder("a", 1);
        var owner = scene.owner().ready();
        a.connected(owner);
        settle(owner, a);
        owner.ledger.gone(LedgerScene.replica(1));
        scene.died(a);
        owner.read();
        owner.ledger.present(ReplicaBuilder.replica(2).port(20_001).build(), 4, 4);
        MemoryHolder b = scene.holder("b", 2).connected(owner);
        settle(owner, b);
        assertThat(b.held(2)).isZero();
        owner.scraped(2, 0);
        owner.scraped(2, 0);
        settle(owner, b);
        assertThat(b.held(2)).isEqualTo(4);
    }

    @Test
    void a_number_that_moves_gets_no_slots_until_it_is_empty_and_leaves_its_endpoint_to_the_next() {
        scene.replica(1, 4);
        MemoryHolder a = scene.holder("a", 1);
        var owner = scene.owner().ready();
        a.connected(owner);
        settle(owner, a);
        assertThat(a.admit(1)).isTrue();
        owner.ledger.present(ReplicaBuilder.replica(1).port(30_001).build(), 4, 4);
        owner.ledger.present(ReplicaBuilder.replica(2).port(20_001).build(), 4, 4);
        settle(owner, a);
        assertThat(a.held(1)).as("the one that runs where it was").isEqualTo(1);
        assertThat(a.held(2)).isZero();
        a.release(1);
        settle(owner, a);
        assertThat(a.held(1)).isEqualTo(4);
        assertThat(a.held(2)).isEqualTo(4);
    }

    @Test
    void two_numbers_that_swap_their_endpoints_open_when_both_are_empty_and_stay_open() {
        scene.replica(1, 4).replica(2, 4);
        MemoryHolder a = scene.holder("a", 1);
        var owner = scene.owner().ready();
        a.connected(owner);
        settle(owner, a);
        assertThat(a.admit(2)).isTrue();
        owner.ledger.present(ReplicaBuilder.replica(1).port(20_002).build(), 4, 4);
        owner.ledger.present(ReplicaBuilder.replica(2).port(20_001).build(), 4, 4);
        settle(owner, a);
        assertThat(a.held(1)).isZero();
        assertThat(a.held(2)).isEqualTo(1);
        a.release(2);
        settle(owner, a);
        for (int period = 0; period < 5; period++) {
            assertThat(a.held(1)).isEqualTo(4);
            assertThat(a.held(2)).isEqualTo(4);
            settle(owner, a);
        }
    }

    @Test
    void a_limit_that_was_lowered_before_a_takeover_is_presumed_as_far_as_it_was_seen() {
        scene.replica(1, 4);
        MemoryHolder a = scene.holder("a", 1);
        MemoryHolder b = scene.holder("b", 2);
        var first = scene.owner().ready();
        a.connected(first);
        b.connected(first);
        settle(first, a, b);
        assertThat(b.held(1)).isEqualTo(2);

        var second = scene.owner();
        second.read();
        second.ledger.present(LedgerScene.replica(1), 2, 4);
        second.ledger.factsRead();
        a.connected(second);
        a.giveBack(1);
        settle(second, a);
        assertThat(a.held(1) + b.held(1)).isEqualTo(2);
        b.connected(second);
        settle(second, a, b);
        assertThat(a.held(1) + b.held(1)).isEqualTo(2);
    }

    @Test
    void numbers_of_a_sync_get_no_place_before_it_is_known_who_speaks() {
        scene.replica(1, 4);
        MemoryHolder a = scene.holder("a", 1);
        var owner = scene.owner().ready();
        owner.ledger.numbersUpTo(9);
        a.connected(owner);
        var link = a.newest();
        int[] numbers = {7, 8};
        int[] held = {1, 1};
        var stranger = new HolderId("stranger", 9);
        owner.ledger.sync(link, stranger, owner.epoch, 1, numbers, held, held, 0);
        assertThat(link.refusal).isEqualTo(Refusal.UNKNOWN);
        owner.ledger.sync(link, a.id, owner.epoch + 1, 2, numbers, held, held, 0);
        assertThat(link.refusal).isEqualTo(Refusal.OTHER_EPOCH);
        owner.ledger.sync(link, a.id, owner.epoch, link.session, numbers, held, held, 0);
        assertThat(link.refusal).isEqualTo(Refusal.OLD_SESSION);
        assertThat(owner.ledger.seats().count()).isEqualTo(1);
    }

    @Test
    void numbers_that_the_roster_never_gave_or_that_are_named_twice_are_refused() {
        scene.replica(1, 4);
        MemoryHolder a = scene.holder("a", 1);
        var owner = scene.owner().ready();
        var link = a.open(owner);
        owner.ledger.sync(link, a.id, owner.epoch, 5, new int[] {2}, new int[] {1}, new int[] {0}, 0);
        assertThat(link.refusal).isEqualTo(Refusal.UNKNOWN_REPLICA);
        owner.ledger.sync(link, a.id, owner.epoch, 5, new int[] {1, 1}, new int[] {1, 1}, new int[] {0, 0}, 0);
        assertThat(link.refusal).isEqualTo(Refusal.MALFORMED);
        assertThat(owner.ledger.seats().count()).isEqualTo(1);
        owner.ledger.numbersUpTo(2);
        a.links.clear();
        var next = a.open(owner);
        owner.ledger.sync(next, a.id, owner.epoch, 5, new int[] {2}, new int[] {1}, new int[] {0}, 0);
        assertThat(next.refusal).isNull();
        assertThat(owner.out(a.id, 2)).isEqualTo(1);
    }

    @Test
    void a_holder_is_welcomed_once() {
        scene.replica(1, 4);
        MemoryHolder a = scene.holder("a", 1);
        var owner = scene.owner().ready();
        a.connected(owner);
        settle(owner, a);
        assertThat(a.newest().welcomes).isEqualTo(1);
    }

    @Test
    void a_stream_that_breaks_as_it_is_written_to_ends_in_order() {
        scene.replica(1, 4).replica(2, 4);
        MemoryHolder a = scene.holder("a", 1);
        MemoryHolder b = scene.holder("b", 2);
        var owner = scene.owner().ready();
        a.connected(owner);
        a.newest().breaksWhenWritten = true;
        b.connected(owner);
        settle(owner, b);
        assertThat(scene.sums(owner).holders()).isEqualTo(1);
        a.connected(owner);
        settle(owner, a, b);
        assertThat(a.held(1) + b.held(1)).isEqualTo(4);
    }

    @Test
    void sessions_by_the_hundred_leave_one_stream_and_lose_no_slot() {
        scene.replica(1, 4);
        MemoryHolder a = scene.holder("a", 1);
        var owner = scene.owner().ready();
        for (int i = 0; i < 500; i++) a.open(owner);
        for (var link : a.links.reversed()) while (link.deliver()) {}
        assertThat(a.links.stream().filter(link -> link.refusal == Refusal.OLD_SESSION))
                .hasSize(499);
        settle(owner, a);
        assertThat(a.held(1)).isEqualTo(4);
        for (int i = 0; i < 500; i++) a.connected(owner);
        settle(owner, a);
        assertThat(a.held(1)).isEqualTo(4);
        assertThat(scene.sums(owner)).isEqualTo(new PoolSums(0, 4, 0, 0, 1, 0));
    }

    @Test
    void a_closed_ledger_ends_its_streams_and_takes_no_more() {
        scene.replica(1, 4);
        MemoryHolder a = scene.holder("a", 1);
        var owner = scene.owner().ready();
        a.connected(owner);
        owner.ledger.close();
        assertThat(refusal(a)).isEqualTo(Refusal.NOT_OWNER);
        a.connected(owner);
        assertThat(refusal(a)).isEqualTo(Refusal.NOT_OWNER);
    }
}
