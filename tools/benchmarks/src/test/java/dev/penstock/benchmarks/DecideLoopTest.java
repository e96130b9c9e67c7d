package dev.penstock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DecideLoopTest {
    /** What a loop has in flight stays what it is: each operation acquires one and releases one. */
    @Test
    void requests_in_flight_stay_as_many_and_spread() {
        Fleet fleet = new Fleet(20);
        DecideLoop decide = new DecideLoop(fleet, 1, null);
        FullScan scan = new FullScan(fleet, 2);

        for (int batch = 0; batch < 200; batch++) {
            decide.run(10);
            decide.settle();
            scan.run(10);
            scan.settle();
        }

        int sum = 0;
        for (int number = 1; number <= 20; number++) {
            int own = fleet.replica(number).cell().own();
            assertThat(own).isBetween(1, 40);
            sum += own;
        }
        assertThat(sum).isEqualTo(2 * 20 * 8);
    }
}
