package dev.penstock.collector.roster;

import static dev.penstock.testkit.record.ReplicaBuilder.replica;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.model.RosterRecord;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.record.ReplicaBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReadyTimesTest {
    private static final ReplicaBuilder REPLICA = replica(1);

    private final ManualClock clock = ManualClock.overflowingIn(Duration.ofSeconds(20));
    private final ReadyTimes times = new ReadyTimes();

    @Test
    void the_oldest_that_any_record_says_counts() {
        hear(REPLICA.readyForMillis(10_000).present());
        clock.advance(Duration.ofSeconds(15));
        // late by five seconds
        hear(REPLICA.readyForMillis(20_000).present());
        assertThat(ageMillis(REPLICA)).isEqualTo(25_000);

        clock.advance(Duration.ofSeconds(15));
        // what was read at the start had been in the topic for three seconds
        hear(REPLICA.readyForMillis(43_000).present());
        assertThat(ageMillis(REPLICA)).isEqualTo(43_000);
    }

    @Test
    void another_incarnation_counts_anew() {
        hear(REPLICA.readyForMillis(10_000).present());
        hear(REPLICA.uid("uid-2").readyForMillis(50).present());

        assertThat(ageMillis(REPLICA.uid("uid-2"))).isEqualTo(50);
        assertThat(ageMillis(REPLICA)).isEqualTo(RosterRecord.AGE_UNKNOWN);
    }

    @Test
    void nothing_is_kept_of_the_gone_and_the_forgotten() {
        hear(REPLICA.readyForMillis(10_000).present());
        hear(REPLICA.gone());
        assertThat(ageMillis(REPLICA)).isEqualTo(RosterRecord.AGE_UNKNOWN);

        hear(REPLICA.readyForMillis(10_000).present());
        times.forgotten("engine-1");
        assertThat(ageMillis(REPLICA)).isEqualTo(RosterRecord.AGE_UNKNOWN);
    }

    @Test
    void a_record_that_does_not_tell_takes_nothing_back() {
        hear(REPLICA.readyForMillis(10_000).present());
        hear(REPLICA.readyForMillis(RosterRecord.AGE_UNKNOWN).present());

        assertThat(ageMillis(REPLICA)).isEqualTo(10_000);
    }

    @Test
    void an_age_beyond_all_reason_is_only_old() {
        hear(REPLICA.readyForMillis(Long.MAX_VALUE).present());

        assertThat(ageMillis(REPLICA)).isEqualTo(Duration.ofDays(3_650).toMillis());
    }

    private void hear(RosterRecord roster) {
        times.heard(roster, clock.getAsLong());
    }

    private long ageMillis(ReplicaBuilder replica) {
        long now = clock.getAsLong();
        Long since = times.sinceNanos(
                replica.readyForMillis(RosterRecord.AGE_UNKNOWN).present(), now);
        return since == null ? RosterRecord.AGE_UNKNOWN : (now - since) / 1_000_000;
    }
}
