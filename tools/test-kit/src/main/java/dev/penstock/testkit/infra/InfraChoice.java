package dev.penstock.testkit.infra;

import java.util.Locale;
import java.util.Optional;

/**
 * Whether tests run on containers or on the embedded broker and Redis, and why. The system property or environment
 * variable {@code PENSTOCK_TEST_INFRA} says {@code embedded}, {@code docker} or {@code auto}; {@code auto}, the default,
 * takes Docker only when a daemon answers and both images are present, since a pull in the middle of a test run is a
 * failure that looks like a slow test.
 */
public record InfraChoice(Kind kind, String reason, Images images) {
    public static final String SETTING = "PENSTOCK_TEST_INFRA";

    /** The two ways to get a real Kafka and a real Redis. */
    public enum Kind {
        EMBEDDED,
        DOCKER
    }

    /** Image names, from {@code penstock.test.kafka.image} and {@code penstock.test.redis.image}. */
    public record Images(String kafka, String redis) {
        static Images fromProperties() {
            return new Images(
                    System.getProperty("penstock.test.kafka.image", "apache/kafka:4.1.2"),
                    System.getProperty("penstock.test.redis.image", "redis:6.2"));
        }
    }

    /** Decides from this JVM's properties, its environment and the daemon it finds. */
    public static InfraChoice fromEnvironment() {
        String wanted = System.getProperty(SETTING, System.getenv().getOrDefault(SETTING, "auto"));
        String dockerHost = System.getenv().getOrDefault("DOCKER_HOST", "");
        return decide(wanted, Images.fromProperties(), new DockerSocketProbe(dockerHost));
    }

    static InfraChoice decide(String wanted, Images images, DockerProbe docker) {
        return switch (wanted.strip().toLowerCase(Locale.ROOT)) {
            case "embedded" -> new InfraChoice(Kind.EMBEDDED, SETTING + "=embedded", images);
            case "docker" -> demanded(images, docker);
            case "auto", "" -> found(images, docker);
            default ->
                throw new IllegalArgumentException(
                        SETTING + " must be embedded, docker or auto, was \"" + wanted + "\"");
        };
    }

    private static InfraChoice demanded(Images images, DockerProbe docker) {
        Optional<String> problem = docker.daemonProblem();
        if (problem.isPresent()) throw new IllegalStateException(SETTING + "=docker, but " + problem.get());
        return new InfraChoice(Kind.DOCKER, SETTING + "=docker", images);
    }

    private static InfraChoice found(Images images, DockerProbe docker) {
        Optional<String> problem = docker.daemonProblem();
        if (problem.isPresent()) return new InfraChoice(Kind.EMBEDDED, problem.get(), images);
        if (!docker.hasImage(images.kafka())) return missing(images.kafka(), images);
        if (!docker.hasImage(images.redis())) return missing(images.redis(), images);
        return new InfraChoice(Kind.DOCKER, "a daemon answers and has both images", images);
    }

    private static InfraChoice missing(String image, Images images) {
        return new InfraChoice(Kind.EMBEDDED, "Docker has no local image " + image, images);
    }
}
