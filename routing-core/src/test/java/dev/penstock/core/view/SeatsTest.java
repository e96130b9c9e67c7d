package dev.penstock.core.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.core.Fleet;
import dev.penstock.model.Header;
import dev.penstock.model.Replica;
import dev.penstock.model.RosterRecord;
import dev.penstock.testkit.record.ReplicaBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Replicas in six indexes: more than a request waits for, so that changes are left to whoever reads one next. Each model is
 * served by all but one replica, a different one each, so that none shares its index with another.
 */
class SeatsTest {
    private static final long NOW = 1_000_000_000_000L;
    private static final int REPLICAS = 600;
    private static final List<String> MODELS =
            IntStream.range(0, 6).mapToObj(i -> Fleet.MODEL + i).toList();

    private final FleetView view = new FleetView("router-0", 1);

    @Test
    void what_is_left_to_the_next_reader_is_read_by_all_of_them() {
        build();

        for (int kept : new int[] {100, 300, 599}) {
            for (int number = 50; number <= 200; number++)
                if (number != kept) cell(number).acquire();
            for (String model : MODELS) {
                int[] lowest = lowest(model, REPLICAS);
                assertThat(lowest).hasSize(REPLICAS - 1);
                assertThat(own(lowest)).as(model).isSorted();
            }
            for (int number = 50; number <= 200; number++)
                if (number != kept) cell(number).release();
        }
    }

    @Test
    void more_changes_than_one_decision_catches_up_with_are_not_lost() {
        build();
        for (int number = 1; number <= REPLICAS; number++) {
            for (int i = 0; i < number % 7; i++) cell(number).acquire();
        }

        // 514 of them, by some 270 at a time.
        int[] halfWay = own(lowest(MODELS.get(0), REPLICAS));
        int[] sorted = halfWay.clone();
        Arrays.sort(sorted);
        assertThat(halfWay).isNotEqualTo(sorted);
        assertThat(own(lowest(MODELS.get(0), REPLICAS))).isEqualTo(sorted);
        // One that is not asked is brought up to date by the sweep.
        view.refresh(NOW);
        assertThat(own(lowest(MODELS.get(3), REPLICAS))).isSorted();
    }

    @Test
    void a_change_of_standing_is_left_and_read_too() {
        build();
        for (int i = 0; i < 3; i++) cell(7).failed(1, NOW, new SplittableRandom(1));

        for (String model : MODELS) {
            int[] counts = new int[ReplicaCell.Exclusion.values().length];
            candidates(model).lowest(Candidates.Basis.SCORE, new int[1], 1, 0, counts);
            assertThat(counts).containsExactly(REPLICAS - 2, 0, 0, 0, 1, 0, 0);
        }
    }

    private void build() {
        List<RosterRecord> records = new ArrayList<>();
        for (int number = 1; number <= REPLICAS; number++) records.add(record(number));
        records.forEach(view::apply);
        for (ReplicaEntry entry : view.current().entries()) entry.cell().vouchFor();
        for (String model : MODELS) lowest(model, 1);
        view.refresh(NOW);
    }

    private static RosterRecord record(int number) {
        Replica plain = ReplicaBuilder.replica(number).serving(Fleet.MODEL).build();
        List<String> served = IntStream.range(0, MODELS.size())
                .filter(i -> number != i + 1)
                .mapToObj(MODELS::get)
                .toList();
        Replica replica = new Replica(
                plain.name(),
                number,
                "u",
                plain.endpoint(),
                null,
                served,
                plain.engine(),
                null,
                plain.pool(),
                null,
                null,
                0,
                Map.of());
        Header header = new Header("collector", 1, number, Header.NO_EPOCH, 0);
        return new RosterRecord(header, replica, false, number, RosterRecord.AGE_UNKNOWN);
    }

    /** Numbers, the least loaded first. */
    private int[] lowest(String model, int most) {
        int[] slots = new int[most];
        int found = candidates(model)
                .lowest(Candidates.Basis.SCORE, slots, most, 0, new int[ReplicaCell.Exclusion.values().length]);
        return Arrays.stream(slots, 0, found)
                .map(slot -> candidates(model).entry(slot).replica().number())
                .toArray();
    }

    private int[] own(int[] numbers) {
        return Arrays.stream(numbers).map(number -> cell(number).own()).toArray();
    }

    private Candidates candidates(String model) {
        return view.current().candidates(model);
    }

    private ReplicaCell cell(int number) {
        return view.current().byNumber(number).cell();
    }
}
