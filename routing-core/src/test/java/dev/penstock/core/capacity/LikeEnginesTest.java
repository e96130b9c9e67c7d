package dev.penstock.core.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.core.capacity.ServedFleet.ServedEngine;
import dev.penstock.testkit.Seeds;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Four engines, one of which leaves and comes back: what is learned of them decides what they are sent, and that what is
 * learned. Their pace varies by a tenth from second to second, each for itself.
 */
class LikeEnginesTest {
    private static final int SEEDS = 5;
    private static final int ENGINES = 4;
    private static final double HALF = 12;
    private static final double UNITS_PER_SECOND = 2_400;
    /** An 8B model on an H100 has its half there, at 30 requests in flight, 125 tokens/s each. */
    private static final double FAR_HALF = 400;

    private static final double FAR_UNITS_PER_SECOND = 50_000;

    @ParameterizedTest
    @CsvSource({"'', 0.3", "'', 0.45", "'', 0.6", "h100, 0.3", "h100, 0.45", "h100, 0.6"})
    void who_comes_back_is_told_of_as_the_others_are_and_so_are_they(String hardwareClass, double utilisation) {
        for (int seed = 1; seed <= SEEDS; seed++) {
            ServedFleet fleet = fleet(seed, UNITS_PER_SECOND, second -> utilisation);
            leaveAndComeBack(fleet, hardwareClass, UNITS_PER_SECOND, HALF, seed % 2 == 0 ? 2 : ENGINES);
        }
    }

    /** There one more request costs the others nothing, and where an engine saturates cannot be known. */
    @ParameterizedTest
    @ValueSource(strings = {"", "h100"})
    void engines_far_below_saturation_are_told_of_alike(String hardwareClass) {
        for (int seed = 1; seed <= SEEDS; seed++) {
            ServedFleet fleet = fleet(seed, FAR_UNITS_PER_SECOND, second -> 0.07);
            leaveAndComeBack(fleet, hardwareClass, FAR_UNITS_PER_SECOND, FAR_HALF, seed % 2 == 0 ? 2 : ENGINES);
        }
    }

    private static void leaveAndComeBack(
            ServedFleet fleet, String hardwareClass, double unitsPerSecond, double half, int nextNumber) {
        for (int i = 0; i < ENGINES; i++) fleet.join(i, hardwareClass, unitsPerSecond, half);
        fleet.run(60);
        fleet.leave(fleet.engines.get(2));
        fleet.run(20);
        fleet.join(nextNumber, hardwareClass, unitsPerSecond, half);

        fleet.run(120);

        assertThat(fleet.lowest).isGreaterThan(0.8);
        assertThat(fleet.highest).isLessThan(1.25);
    }

    /** Of a load that varies, where it does not nobody can know; and in minutes, because F has to come to twice 10 first. */
    @ParameterizedTest
    @CsvSource({"2, 60", "0.5, 60", "2, 300", "0.5, 300"})
    void a_newcomer_that_does_more_or_less_at_a_time_is_known_when_the_load_has_swung(double by, double period) {
        for (int seed = 1; seed <= SEEDS; seed++) {
            ServedFleet fleet = swinging(seed, period);
            ServedEngine newcomer = fleet.join(ENGINES, "", by * UNITS_PER_SECOND, by * HALF);

            fleet.run(300);

            assertThat(inflightOver(fleet, newcomer)).isCloseTo(by, within(0.2 * by));
            assertThat(throughputOver(fleet, newcomer)).isCloseTo(by, within(0.15 * by));
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {2, 0.5})
    void a_newcomer_that_does_each_thing_in_another_time_is_known_within_a_minute(double by) {
        for (int seed = 1; seed <= SEEDS; seed++) {
            ServedFleet fleet = swinging(seed, 60);
            ServedEngine newcomer = fleet.join(ENGINES, "", by * UNITS_PER_SECOND, HALF);

            fleet.run(60);

            assertThat(throughputOver(fleet, newcomer)).isCloseTo(by, within(0.1 * by));
            assertThat(inflightOver(fleet, newcomer)).isCloseTo(1, within(0.2));
        }
    }

    private static ServedFleet swinging(int seed, double period) {
        ServedFleet fleet =
                fleet(seed, UNITS_PER_SECOND, second -> 0.45 - 0.3 * Math.cos(2 * Math.PI * second / period));
        for (int i = 0; i < ENGINES; i++) fleet.join(i, "", UNITS_PER_SECOND, HALF);
        fleet.run((int) Math.max(period, 80));
        return fleet;
    }

    private static double inflightOver(ServedFleet fleet, ServedEngine newcomer) {
        return (double) fleet.learner.inflightMilli(newcomer.number) / fleet.learner.inflightMilli(0);
    }

    private static double throughputOver(ServedFleet fleet, ServedEngine newcomer) {
        return fleet.learner.throughput(newcomer.number) / fleet.learner.throughput(0);
    }

    private static ServedFleet fleet(int seed, double unitsPerSecond, DoubleUnaryOperator utilisation) {
        return new ServedFleet(
                Seeds.of(seed).random(),
                second -> ServedFleet.requestsPerSecond(ENGINES, unitsPerSecond, utilisation.applyAsDouble(second)));
    }
}
