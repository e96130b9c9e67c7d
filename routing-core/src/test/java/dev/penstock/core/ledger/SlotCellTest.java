package dev.penstock.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SlotCellTest {
    private final SlotCell cell = new SlotCell();

    @Test
    void as_many_are_admitted_as_slots_are_held() {
        cell.granted(2);

        assertThat(List.of(cell.admit(), cell.admit(), cell.admit())).containsExactly(true, true, false);
        assertThat(cell.release()).isFalse();
        assertThat(cell.admit()).isTrue();
    }

    @Test
    void a_recalled_slot_is_given_back_when_it_is_released_and_not_used_again() {
        cell.granted(2);
        cell.admit();
        cell.recalled(0);

        assertThat(cell.admit()).isFalse();
        assertThat(cell.giveBack()).isEqualTo(1);
        assertThat(cell.release()).isTrue();
        assertThat(cell.giveBack()).isEqualTo(1);
        assertThat(cell.held()).isZero();
    }

    @Test
    void one_release_too_many_is_refused_and_changes_nothing() {
        cell.granted(3);

        assertThatThrownBy(cell::release).isInstanceOf(IllegalStateException.class);

        assertThat(cell.held()).isEqualTo(3);
        assertThat(cell.used()).isZero();
        assertThat(cell.admit()).isTrue();
    }

    @Test
    void less_than_nothing_is_not_given_back() {
        cell.granted(3);

        assertThat(cell.giveBack(-1)).isZero();
        assertThat(cell.held()).isEqualTo(3);
    }

    @Test
    void no_more_than_the_limit_run_while_slots_come_and_go() throws Exception {
        int limit = 3;
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        cell.granted(limit);
        int home = 0;
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            List<Future<Integer>> loops = new ArrayList<>();
            for (int i = 0; i < 2; i++) loops.add(threads.submit(() -> admitted(running, most)));
            while (loops.stream().anyMatch(loop -> !loop.isDone())) {
                home += cell.giveBack(1);
                cell.recalled(1);
                home += cell.giveBack();
                cell.keepAll();
                if (home > 0) cell.granted(home);
                home = 0;
            }
            for (Future<Integer> loop : loops) assertThat(loop.get()).isPositive();
        }
        assertThat(most.get()).isBetween(1, limit);
        assertThat(cell.used()).isZero();
        assertThat(cell.held()).isEqualTo(limit);
    }

    private int admitted(AtomicInteger running, AtomicInteger most) {
        int admitted = 0;
        for (int i = 0; i < 200_000; i++) {
            if (!cell.admit()) continue;
            admitted++;
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            running.decrementAndGet();
            cell.release();
        }
        return admitted;
    }
}
