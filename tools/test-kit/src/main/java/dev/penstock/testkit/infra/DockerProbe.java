package dev.penstock.testkit.infra;

import java.util.Optional;

/** What {@link InfraChoice} asks about Docker. */
interface DockerProbe {
    /** Why no daemon can be used, or empty when one answers. */
    Optional<String> daemonProblem();

    boolean hasImage(String image);
}
