package dev.penstock.core.pick;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.core.Fleet;
import dev.penstock.core.explain.DecisionRing;
import dev.penstock.core.explain.ReDecide;
import dev.penstock.core.ledger.HolderBook;
import dev.penstock.core.ledger.HolderId;
import dev.penstock.core.ledger.Rules;
import dev.penstock.core.view.ReplicaCell;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Slots are a hard limit: who has none free is sent nothing, whatever the others are like. */
class SlotRoutingTest {
    private static final long NOW = 1_000_000_000_000L;
    private static final int SHUTTING_FAILURES = 40;

    private final RoutingPolicy policy = new RoutingPolicy();
    private final SplittableRandom random = new SplittableRandom(7);
    private final Routing out = new Routing();
    private final HolderBook book = new HolderBook(new HolderId("router-1", 1), 0, Rules.ALL);

    @Test
    void a_replica_that_nobody_limits_takes_all() {
        Fleet fleet = Fleet.fresh(1, NOW);
        for (int i = 0; i < 2_000; i++) {
            route(fleet);
            assertThat(out.replica().cell().admit()).isTrue();
            out.clear();
        }

        assertThat(cell(fleet, 1).own()).isEqualTo(2_000);
        assertThat(cell(fleet, 1).release()).isFalse();
    }

    @Test
    void no_more_are_routed_than_there_are_slots() {
        Fleet fleet = Fleet.fresh(20, NOW);
        for (int number = 1; number <= 20; number++) limit(fleet, number, 3);
        for (int i = 0; i < 60; i++) {
            route(fleet);
            assertThat(out.replica()).as("request %s", i).isNotNull();
            assertThat(out.replica().cell().admit()).as("request %s", i).isTrue();
        }

        route(fleet);

        assertThat(out.replica()).isNull();
        assertThat(out.reason()).isEqualTo(Routing.Reason.NO_SLOT);
        assertThat(out.shortlist().count(Standing.NO_SLOT)).isEqualTo(20);
        assertThat(recordedAgrees()).isTrue();
    }

    @Test
    void a_slot_that_is_released_or_granted_is_found_at_once() {
        Fleet fleet = Fleet.fresh(30, NOW);
        for (int number = 1; number <= 30; number++) limit(fleet, number, 0);
        route(fleet);
        assertThat(out.reason()).isEqualTo(Routing.Reason.NO_SLOT);

        book.granted(5, 1, 17, 1);
        cell(fleet, 17).slotsMoved();
        route(fleet);
        assertThat(out.number()).isEqualTo(17);
        assertThat(cell(fleet, 17).admit()).isTrue();
        route(fleet);
        assertThat(out.reason()).isEqualTo(Routing.Reason.NO_SLOT);

        cell(fleet, 17).release();
        route(fleet);
        assertThat(out.number()).isEqualTo(17);
    }

    @Test
    void a_recalled_slot_is_no_slot() {
        Fleet fleet = Fleet.fresh(1, NOW);
        limit(fleet, 1, 2);
        cell(fleet, 1).admit();
        book.recalled(5, 1, 1, 0);
        cell(fleet, 1).slotsMoved();

        route(fleet);

        assertThat(out.reason()).isEqualTo(Routing.Reason.NO_SLOT);
        assertThat(cell(fleet, 1).admit()).isFalse();
        assertThat(cell(fleet, 1).release()).isTrue();
        assertThat(book.giveBack(1)).isEqualTo(1);
    }

    @Test
    void nobody_excluded_takes_the_place_of_a_sound_one_that_only_lacks_a_slot() {
        Fleet fleet = Fleet.fresh(2, NOW);
        limit(fleet, 1, 0);
        shut(fleet, 2);

        route(fleet);

        assertThat(out.replica()).isNull();
        assertThat(out.reason()).isEqualTo(Routing.Reason.NO_SLOT);
        assertThat(recordedAgrees()).isTrue();
    }

    @Test
    void panic_asks_nobody_without_a_slot() {
        Fleet fleet = Fleet.fresh(3, NOW);
        for (int number = 1; number <= 3; number++) shut(fleet, number);
        limit(fleet, 1, 0);
        limit(fleet, 2, 0);

        for (int i = 0; i < 20; i++) {
            route(fleet);
            assertThat(out.reason()).isEqualTo(Routing.Reason.PANIC);
            assertThat(out.number()).isEqualTo(3);
        }

        limit(fleet, 3, 0);
        route(fleet);
        assertThat(out.reason()).isEqualTo(Routing.Reason.NO_SLOT);
        assertThat(cell(fleet, 3).exclusion(NOW)).isEqualTo(ReplicaCell.Exclusion.EXCLUDED_NO_SLOT);
    }

    @Test
    void what_is_bound_to_one_replica_needs_a_slot_there_too() {
        Fleet fleet = Fleet.fresh(2, NOW);
        limit(fleet, 1, 0);

        policy.routeTo(fleet.view.current(), Fleet.MODEL, PickRule.DEFAULT, 1, NOW, random, out);

        assertThat(out.replica()).isNull();
        assertThat(out.reason()).isEqualTo(Routing.Reason.NO_SLOT);
    }

    @Test
    void a_replica_whose_last_slot_was_taken_in_between_was_not_tried() {
        Fleet fleet = Fleet.fresh(1, NOW);
        route(fleet);
        assertThat(out.attempts()).isEqualTo(1);

        out.notSent();
        assertThat(out.attempts()).isZero();
        assertThat(out.reason()).isEqualTo(Routing.Reason.NO_SLOT);

        policy.route(fleet.view.current(), Fleet.MODEL, PickRule.DEFAULT, NOW, random, out);
        assertThat(out.number()).isEqualTo(1);
    }

    @Test
    void busy_replicas_without_slots_count_in_the_pools_mean_load() {
        Fleet fleet = Fleet.fresh(2, NOW);
        for (int number = 1; number <= 2; number++) {
            limit(fleet, number, 4);
            for (int i = 0; i < 4; i++) cell(fleet, number).admit();
        }
        fleet.view.refresh(NOW);

        assertThat(fleet.view.current().candidates(Fleet.MODEL).pool().meanOwnMilli())
                .isEqualTo(4_000);
    }

    @Test
    void acquiring_without_a_slot_is_a_bug() {
        Fleet fleet = Fleet.fresh(1, NOW);
        limit(fleet, 1, 0);

        assertThatThrownBy(cell(fleet, 1)::acquire).isInstanceOf(IllegalStateException.class);
    }

    private void route(Fleet fleet) {
        out.clear();
        policy.route(fleet.view.current(), Fleet.MODEL, PickRule.DEFAULT, NOW, random, out);
    }

    private boolean recordedAgrees() {
        DecisionRing ring = new DecisionRing();
        ring.record(1, 1, NOW, out);
        return ReDecide.agrees(ring.of(1).getFirst());
    }

    private void limit(Fleet fleet, int number, int slots) {
        book.cell(number, cell(fleet, number).slots());
        book.cell(number).keepUsed();
        if (book.session() == 0) book.open(5);
        if (slots > 0) book.granted(5, 1, number, slots);
        cell(fleet, number).slotsMoved();
    }

    private void shut(Fleet fleet, int number) {
        for (int i = 0; i < SHUTTING_FAILURES; i++) cell(fleet, number).failed(1, NOW, random);
    }

    private static ReplicaCell cell(Fleet fleet, int number) {
        return fleet.view.current().byNumber(number).cell();
    }
}
