package dev.penstock.relaybench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;

/**
 * The soak of {@code bench relay} in small: 60 s of load on the router's own process, of which 15 are warm-up. Its bars are
 * counts and trends; a slow machine passes too, with fewer requests.
 */
class SoakTest {
    private static final double WARM_SECONDS = 15;
    private static final double SECONDS = 45;
    /** A quarter of those that are sent where the machine is fast enough. */
    private static final long LEAST_REQUESTS = 3_000;

    @Test
    void nothing_grows_under_a_steady_load_with_faults() throws Exception {
        RelayOptions options = new RelayOptions(false, EnumSet.of(Scene.SOAK), false, false, 0, null);
        try (Stage stage = new Stage(options, System.out::println);
                RouterContender router = RouterContender.start(
                        stage.cores(),
                        SoakScene.flags(JvmFlags.G1),
                        stage.folder(),
                        "router-soak",
                        stage.fleet(Stage.FEW))) {
            Soak soak = Soak.of(stage, router, WARM_SECONDS, SECONDS);

            assertThat(soak.requests()).as("%s", soak).isGreaterThan(LEAST_REQUESTS);
            assertThat(soak.counts().answered()).as("%s", soak).isGreaterThan(soak.requests() * 9 / 10);
            assertThat(soak.heapSlopePercent()).as("%s", soak).isLessThanOrEqualTo(Soak.MOST_SLOPE_PERCENT);
            assertThat(soak.directSlopePercent()).as("%s", soak).isLessThanOrEqualTo(Soak.MOST_SLOPE_PERCENT);
            assertThat(soak.fileGrowth()).as("%s", soak).isLessThanOrEqualTo(Soak.MOST_FILES);
            assertThat(soak.objectsPerRequest()).as("%s", soak).isLessThanOrEqualTo(Soak.MOST_OBJECTS_PER_REQUEST);
            assertThat(soak.ownObjects()).as("%s", soak).isLessThanOrEqualTo(Soak.MOST_OWN_OBJECTS);
            assertThat(soak.inflight()).as("%s", soak).isZero();
        }
    }
}
