package dev.penstock.router.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.Await;
import dev.penstock.testkit.raw.RawClient;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the cases stand on: without these observables no case could be judged. */
@ExtendWith(CaseExtension.class)
class SceneTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    private final RouterScene scene;

    SceneTest(RouterScene scene) {
        this.scene = scene;
    }

    @Test
    void a_request_is_relayed_counted_and_over() throws Exception {
        try (Fleet fleet = scene.fleet(2)) {
            Outcomes before = scene.outcomes();

            assertThat(RawClient.exchange(scene.port(), Requests.plain(fleet), SOON)
                            .bodyText())
                    .isEqualTo("{\"good\":true}");

            Await.until(
                    "counted",
                    SOON,
                    () -> scene.outcomes().since(before).counts().equals(Map.of("ok", 1L)));
            assertThat(fleet.only().bodyText()).isEqualTo(Requests.plainBody("org/m-7b"));
            assertThat(fleet.quarantined()).isFalse();
            fleet.awaitIdle();
        }
    }
}
