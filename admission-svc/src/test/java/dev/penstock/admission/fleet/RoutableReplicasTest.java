package dev.penstock.admission.fleet;

import static dev.penstock.testkit.record.ReplicaBuilder.MODEL;
import static dev.penstock.testkit.record.ReplicaBuilder.replica;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.model.Header;
import dev.penstock.model.HealthRecord;
import dev.penstock.model.Verdict;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RoutableReplicasTest {
    private static final Verdict EJECTED = new Verdict.Ejected(Verdict.Severity.HARD, "test", 1, 5_000_000);

    private final ManualClock clock = ManualClock.overflowingIn(Duration.ofSeconds(1));
    private final RoutableReplicas replicas = new RoutableReplicas();

    @BeforeEach
    void two_replicas() {
        replicas.roster(replica(1).present(), clock.getAsLong());
        replicas.roster(replica(2).present(), clock.getAsLong());
        replicas.roster(replica(3).serving("other").present(), clock.getAsLong());
    }

    @Test
    void replicas_without_a_verdict_count() {
        assertThat(count()).isEqualTo(2);
        assertThat(replicas.count("unknown", clock.getAsLong())).isZero();
    }

    @Test
    void one_that_is_gone_or_forgotten_does_not_count() {
        replicas.roster(replica(1).gone(), clock.getAsLong());
        assertThat(count()).isEqualTo(1);

        replicas.forgotten("engine-2");
        assertThat(count()).isZero();
    }

    @Test
    void verdicts_that_exclude_count_until_they_expire() {
        judge(1, "uid-1", EJECTED, 1);
        assertThat(count()).isEqualTo(1);

        clock.advance(Duration.ofMillis(2_999));
        assertThat(count()).isEqualTo(1);
        clock.advanceMillis(1);
        assertThat(count()).isEqualTo(2);
    }

    @Test
    void when_all_are_excluded_all_count_because_routers_use_the_best_of_them() {
        judge(1, "uid-1", EJECTED, 1);
        judge(2, "uid-1", new Verdict.HalfOpen("test", 1, "", 0), 1);

        assertThat(count()).isEqualTo(2);
    }

    @Test
    void a_ramp_counts() {
        judge(1, "uid-1", EJECTED, 1);
        judge(1, "uid-1", new Verdict.Ramp(0, 30_000_000), 1);

        assertThat(count()).isEqualTo(2);
    }

    @Test
    void a_verdict_on_an_earlier_incarnation_does_not_count() {
        judge(1, "uid-0", EJECTED, 1);

        assertThat(count()).isEqualTo(2);
    }

    @Test
    void a_displaced_writer_is_not_heard() {
        judge(1, "uid-1", EJECTED, 7);
        judge(1, "uid-1", Verdict.HEALTHY, 6);

        assertThat(count()).isEqualTo(1);
    }

    private void judge(int number, String uid, Verdict verdict, long epoch) {
        replicas.health(
                new HealthRecord(
                        new Header("health", 1, 0, epoch, 0), number, uid, verdict, 3_000_000, HealthRecord.NO_PASS, 0),
                clock.getAsLong());
    }

    private int count() {
        return replicas.count(MODEL, clock.getAsLong());
    }
}
