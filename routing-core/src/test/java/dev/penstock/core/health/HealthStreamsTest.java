package dev.penstock.core.health;

import static dev.penstock.core.health.HealthScene.A;
import static dev.penstock.core.health.HealthScene.B;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.model.DurationSketch;
import dev.penstock.model.Freshness;
import dev.penstock.model.Header;
import dev.penstock.model.Outcome;
import dev.penstock.model.Outcomes;
import dev.penstock.model.Sample;
import dev.penstock.model.TelemetryFrame;
import dev.penstock.model.Verdict;
import dev.penstock.testkit.record.SampleBuilder;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Records come twice, late and mixed: of collectors that overlap, and of lives of a router. */
class HealthStreamsTest {
    private static final long MS = 1_000_000;
    private static final DurationSketch NOTHING = new DurationSketch();

    private final HealthScene scene = new HealthScene(4);
    private final long begin = scene.clock.getAsLong();

    @Test
    void a_collector_renews_only_what_it_told_itself() {
        for (int sequence = 1; sequence <= 2; sequence++) {
            telemetry(frame(7, sequence, 0, sample(1, 0)), 0);
            telemetry(frame(8, sequence, 0, sample(1, 0)), 0);
        }
        telemetry(frame(7, 3, 50, sample(2, 0)), 50);

        // 8 missed the 2: to it the replica is where it was
        telemetry(again(8, 3, 150), 150);
        assertThat(freshness(200)).isEqualTo(Freshness.FRESH);
        assertThat(freshness(201)).isEqualTo(Freshness.STALE);

        telemetry(again(7, 4, 250), 250);
        assertThat(freshness(400)).isEqualTo(Freshness.FRESH);
    }

    /** The collector's first records took 800 ms, so what they told seems to be of when they came. */
    @Test
    void a_collectors_later_sample_wins_whatever_the_times_say() {
        telemetry(frame(7, 1, 0, sample(1, 0)), 800);
        telemetry(again(7, 2, 50), 800);

        telemetry(frame(7, 3, 900, sample(2, 150)), 900);

        assertThat(scene.health(1).movedSince(begin + 900 * MS)).isTrue();
        assertThat(freshness(900)).isEqualTo(Freshness.FRESH);
        assertThat(freshness(905)).isEqualTo(Freshness.STALE);
    }

    /** Telemetry that was held up must not pass for a sign that a replica alone is gone. */
    @Test
    void frames_that_waited_on_their_way_are_no_flow() {
        telemetry(frame(7, 1, 0, sample(1, 0)), 0);
        at(5_000);
        scene.fleet.telemetry(frame(7, 2, 100, sample(1, 0)), scene.clock.getAsLong());

        scene.probe(1, ProbeResult.Kind.UNREACHABLE);
        scene.probe(1, ProbeResult.Kind.UNREACHABLE);
        assertThat(scene.severity(1)).isNull();

        scene.fleet.telemetry(frame(7, 3, 5_000), scene.clock.getAsLong());
        scene.after(50);
        assertThat(scene.severity(1)).isEqualTo(Verdict.Severity.HARD);
    }

    @Test
    void outcomes_of_a_router_that_come_again_count_once() {
        outcomes(B, 5, 1, 2);
        outcomes(B, 6, 1, 1);
        double once = sum();

        outcomes(B, 5, 1, 2);
        outcomes(B, 6, 1, 1);

        assertThat(sum()).isEqualTo(once);
    }

    /** A record that the life before sent last, and that comes after the first of the next one. */
    @Test
    void a_late_record_of_an_earlier_life_takes_nothing_from_the_present_one() {
        outcomes(A, 5, 1, 0);
        outcomes(A, 6, 1, 2);
        assertThat(sum()).isCloseTo(2 * 2.9957, within(0.001));

        outcomes(A, 5, 2, 0);
        outcomes(A, 6, 2, 0);

        assertThat(sum()).isCloseTo(2 * 2.9957, within(0.001));
    }

    private double sum() {
        return scene.health(1).pooledSum(scene.clock.getAsLong());
    }

    private void outcomes(String router, long incarnation, long sequence, int failures) {
        Map<Outcome, Integer> counts = failures == 0 ? Map.of() : Map.of(Outcome.REPLICA_ERROR, failures);
        Header header = new Header(router, incarnation, sequence, Header.NO_EPOCH, scene.clock.getAsLong());
        scene.fleet.outcomes(
                new Outcomes(
                        header, List.of(new Outcomes.ReplicaOutcomes(1, counts, 0, NOTHING, NOTHING, 0, false, false))),
                scene.clock.getAsLong());
    }

    private void at(long millis) {
        scene.clock.advanceMillis(millis - (scene.clock.getAsLong() - begin) / MS);
    }

    private void telemetry(TelemetryFrame frame, long atMillis) {
        scene.fleet.telemetry(frame, begin + atMillis * MS);
    }

    private Freshness freshness(long atMillis) {
        return scene.health(1).freshness(begin + atMillis * MS);
    }

    /** A full frame. */
    private static TelemetryFrame frame(long incarnation, long sequence, long sendMillis, Sample... samples) {
        return new TelemetryFrame(
                header(incarnation, sequence, sendMillis), 1, true, new BitSet(), 0, List.of(samples));
    }

    /** Replica 1 was sampled again, unchanged. */
    private static TelemetryFrame again(long incarnation, long sequence, long sendMillis) {
        BitSet bit = new BitSet();
        bit.set(0);
        return new TelemetryFrame(header(incarnation, sequence, sendMillis), 1, false, bit, 0, List.of());
    }

    private static Header header(long incarnation, long sequence, long sendMillis) {
        return new Header("collector-" + incarnation, incarnation, sequence, Header.NO_EPOCH, sendMillis * MS);
    }

    private static Sample sample(int heartbeat, long ageMillis) {
        return SampleBuilder.sample(1)
                .heartbeat(heartbeat)
                .ageMicros(1_000 * ageMillis)
                .build();
    }
}
