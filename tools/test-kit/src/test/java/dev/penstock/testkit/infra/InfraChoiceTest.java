package dev.penstock.testkit.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.testkit.infra.InfraChoice.Images;
import dev.penstock.testkit.infra.InfraChoice.Kind;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InfraChoiceTest {
    private static final Images IMAGES = new Images("kafka:x", "redis:y");

    private record FakeDocker(boolean answers, Set<String> local) implements DockerProbe {
        @Override
        public Optional<String> daemonProblem() {
            return answers ? Optional.empty() : Optional.of("no daemon at all");
        }

        @Override
        public boolean hasImage(String image) {
            assertThat(answers).as("asked for an image without a daemon").isTrue();
            return local.contains(image);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "embedded, true,  kafka:x redis:y, EMBEDDED, PENSTOCK_TEST_INFRA=embedded",
        "embedded, false, '',              EMBEDDED, PENSTOCK_TEST_INFRA=embedded",
        "docker,   true,  kafka:x redis:y, DOCKER,   PENSTOCK_TEST_INFRA=docker",
        "docker,   true,  '',              DOCKER,   PENSTOCK_TEST_INFRA=docker",
        "auto,     false, '',              EMBEDDED, no daemon at all",
        "auto,     true,  '',              EMBEDDED, no local image kafka:x",
        "auto,     true,  redis:y,         EMBEDDED, no local image kafka:x",
        "auto,     true,  kafka:x,         EMBEDDED, no local image redis:y",
        "auto,     true,  kafka:x redis:y, DOCKER,   has both images",
        "' AUTO ', true,  kafka:x redis:y, DOCKER,   has both images",
        "'',       false, '',              EMBEDDED, no daemon at all",
    })
    void decides(String wanted, boolean answers, String local, Kind kind, String reason) {
        InfraChoice choice = InfraChoice.decide(wanted, IMAGES, new FakeDocker(answers, Set.of(local.split(" "))));

        assertThat(choice.kind()).isEqualTo(kind);
        assertThat(choice.reason()).contains(reason);
        assertThat(choice.images()).isEqualTo(IMAGES);
    }

    @Test
    void docker_demanded_but_absent_fails_with_the_reason() {
        assertThatThrownBy(() -> InfraChoice.decide("docker", IMAGES, new FakeDocker(false, Set.of())))
                .hasMessageContaining("PENSTOCK_TEST_INFRA=docker")
                .hasMessageContaining("no daemon at all");
    }

    @Test
    void an_unknown_word_is_refused_with_what_is_known() {
        assertThatThrownBy(() -> InfraChoice.decide("podman", IMAGES, new FakeDocker(true, Set.of())))
                .hasMessageContaining("embedded, docker or auto")
                .hasMessageContaining("podman");
    }

    @Test
    void the_default_images_are_pinned() {
        assertThat(Images.fromProperties()).isEqualTo(new Images("apache/kafka:4.1.2", "redis:6.2"));
    }
}
