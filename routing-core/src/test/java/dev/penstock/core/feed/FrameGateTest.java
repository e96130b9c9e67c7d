package dev.penstock.core.feed;

import static dev.penstock.core.feed.FrameGate.Admission.AFTER_GAP;
import static dev.penstock.core.feed.FrameGate.Admission.DROPPED;
import static dev.penstock.core.feed.FrameGate.Admission.FIRST;
import static dev.penstock.core.feed.FrameGate.Admission.IN_ORDER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.model.Header;
import org.junit.jupiter.api.Test;

class FrameGateTest {
    private static final long MS = 1_000_000;

    private final FrameGate gate = new FrameGate();

    @Test
    void what_is_missing_is_noticed_until_the_next_full_record() {
        assertThat(admit(1, 1, true)).isEqualTo(FIRST);
        assertThat(admit(1, 2, false)).isEqualTo(IN_ORDER);
        assertThat(admit(1, 4, false)).isEqualTo(AFTER_GAP);
        assertThat(admit(1, 3, false)).isEqualTo(DROPPED);
        assertThat(admit(1, 5, false)).isEqualTo(AFTER_GAP);
        assertThat(admit(1, 6, true)).isEqualTo(IN_ORDER);
        assertThat(admit(1, 6, true)).isEqualTo(DROPPED);
    }

    @Test
    void a_late_record_of_an_earlier_incarnation_is_no_new_start() {
        admit(1, 1, true);
        admit(1, 3, true);
        assertThat(admit(2, 1, true)).isEqualTo(FIRST);

        assertThat(admit(1, 2, true)).isEqualTo(DROPPED);
        assertThat(admit(2, 2, false)).isEqualTo(IN_ORDER);
    }

    @Test
    void an_incarnation_that_wakes_beside_its_successor_goes_on_where_it_was() {
        gate.admit(header(1, 1, 0), true, 0);
        gate.admit(header(2, 1, 50 * MS), true, 50 * MS);

        assertThat(gate.admit(header(1, 2, 10 * MS), false, 2_010 * MS)).isEqualTo(FIRST);
        assertThat(gate.excessNanos()).as("on its way").isEqualTo(2_000 * MS - 402_000);
        assertThat(gate.admit(header(2, 2, 2_050 * MS), false, 2_050 * MS)).isEqualTo(FIRST);
        assertThat(gate.admit(header(2, 3, 2_100 * MS), false, 2_100 * MS)).isEqualTo(AFTER_GAP);
        assertThat(gate.admit(header(2, 4, 2_150 * MS), true, 2_150 * MS)).isEqualTo(IN_ORDER);
    }

    private FrameGate.Admission admit(long incarnation, long sequence, boolean full) {
        return gate.admit(header(incarnation, sequence, 0), full, 0);
    }

    private static Header header(long incarnation, long sequence, long sendNanos) {
        return new Header("collector-0", incarnation, sequence, Header.NO_EPOCH, sendNanos);
    }
}
