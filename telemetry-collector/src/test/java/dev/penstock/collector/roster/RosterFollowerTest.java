package dev.penstock.collector.roster;

import static dev.penstock.testkit.record.ReplicaBuilder.replica;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.model.Header;
import dev.penstock.model.Replica;
import dev.penstock.model.RosterRecord;
import dev.penstock.testkit.ManualClock;
import dev.penstock.wire.RosterCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RosterFollowerTest {
    private final ManualClock clock = new ManualClock();
    private final ReadyTimes times = new ReadyTimes();
    private final List<List<Replica>> told = new ArrayList<>();
    private final RosterFollower follower = new RosterFollower(told::add, times, clock);

    @Test
    void an_assertion_that_changes_nothing_but_the_age_is_heard_and_not_passed_on() {
        follower.caughtUp();
        follow(roster(5, 0));
        clock.advance(Duration.ofSeconds(31));

        // by an owner that knew it before: it is older than it seemed
        follow(roster(6, 60_000));

        assertThat(told).hasSize(2);
        assertThat(sinceNanos()).isEqualTo(clock.getAsLong() - 60_000_000_000L);
    }

    @Test
    void an_owner_that_was_displaced_is_not_believed_about_ages_either() {
        follow(roster(6, 1_000));

        follow(roster(5, 99_000));

        assertThat(sinceNanos()).isEqualTo(clock.getAsLong() - 1_000_000_000L);
    }

    private void follow(RosterRecord roster) {
        follower.record(roster.replica().name(), RosterCodec.encode(roster));
    }

    private long sinceNanos() {
        Long since = times.sinceNanos(roster(0, RosterRecord.AGE_UNKNOWN), clock.getAsLong());
        return since == null ? 0 : since;
    }

    private static RosterRecord roster(long epoch, long ageMillis) {
        return new RosterRecord(
                new Header("collector", 1, 0, epoch, 0), replica(1).build(), false, 1, ageMillis);
    }
}
