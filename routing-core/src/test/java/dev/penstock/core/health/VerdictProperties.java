package dev.penstock.core.health;

import static dev.penstock.core.health.HealthScene.A;
import static dev.penstock.core.health.HealthScene.B;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.model.Outcome;
import dev.penstock.model.Verdict;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class VerdictProperties {
    private static final int REPLICAS = 20;
    private static final int STEP_MILLIS = 250;

    /** 20 replicas at 4 requests per second for 5 minutes, 10 times: 6,000 sweeps of 10 s, 240,000 requests. */
    @Property(tries = 10, seed = "1")
    void one_percent_of_errors_ejects_nobody(@ForAll long seed) {
        HealthScene scene = new HealthScene(REPLICAS, HealthRules.DEFAULT, new Random(seed));
        Random random = new Random(seed + 1);
        for (int step = 0; step < 5 * 60 * 1000 / STEP_MILLIS; step++) {
            for (int number = 1; number <= REPLICAS; number++) {
                serve(scene, random.nextBoolean() ? A : B, number, 1, 0.01, random);
            }
            scene.clock.advanceMillis(STEP_MILLIS);
            scene.fleet.tick(scene.clock.getAsLong());
        }

        assertThat(scene.transitions).noneMatch(change -> change.after() instanceof Verdict.Ejected);
    }

    /** 10 requests per second at each of two routers: gray 30 % within 5 s, 20 % cut streams within 10 s, 38 of 40. */
    @Property(tries = 5, seed = "1")
    void gray_replicas_are_found_in_time(@ForAll long seed) {
        int inTime = 0;
        for (int run = 0; run < 40; run++) {
            Random random = new Random(seed + run);
            boolean gray = run % 2 == 0;
            if (out(random, gray ? 0.3 : 0.2, gray ? 5 : 10)) inTime++;
        }

        assertThat(inTime).isGreaterThanOrEqualTo(38);
    }

    private static boolean out(Random random, double failureRate, int seconds) {
        HealthScene scene = new HealthScene(8, HealthRules.DEFAULT, random);
        for (int step = 0; step < seconds * 1000 / STEP_MILLIS; step++) {
            for (int number = 1; number <= 8; number++) {
                double rate = number == 1 ? failureRate : 0.002;
                serve(scene, A, number, 5, rate, random);
                serve(scene, B, number, 5, rate, random);
            }
            scene.after(STEP_MILLIS);
            if (!scene.verdict(1).routable()) return true;
        }
        return false;
    }

    private static void serve(
            HealthScene scene, String router, int number, int requests, double failureRate, RandomGenerator random) {
        Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);
        for (int i = 0; i < requests; i++) {
            counts.merge(random.nextDouble() < failureRate ? Outcome.INCOMPLETE_STREAM : Outcome.OK, 1, Integer::sum);
        }
        scene.told(router, number, counts, 0, false, false);
    }
}
