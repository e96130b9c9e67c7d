package dev.penstock.health.config;

import dev.penstock.core.health.HealthRules;
import dev.penstock.kit.config.ConfigSection;
import dev.penstock.kit.config.ConfigTree;
import java.time.Duration;

/**
 * Section {@code health}.
 *
 * @param host where the management port listens once {@code security.managementToken} is set
 * @param panicBelow share of a pool that soft ejections leave routable
 * @param ejectionBase term of a first ejection; doubles with each further one
 */
public record HealthConfig(
        String host, int managementPort, double panicBelow, Duration ejectionBase, Duration ejectionMax) {
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofHours(1);

    public static HealthConfig read(ConfigTree tree) {
        ConfigSection section = tree.section("health");
        String host = section.string("host", "127.0.0.1");
        int port = section.port("managementPort", 8082);
        double panicBelow = section.percent("panicBelow", 0.5);
        Duration base = section.duration("ejectionBase", Duration.ofSeconds(5));
        Duration max = section.duration("ejectionMax", Duration.ofSeconds(300));
        if (base.compareTo(SHORTEST) < 0 || base.compareTo(LONGEST) > 0) {
            section.problem("ejectionBase", base.toMillis() + "ms", "100ms to 1h");
        }
        if (max.compareTo(base) < 0 || max.compareTo(LONGEST) > 0) {
            section.problem("ejectionMax", max.toMillis() + "ms", "health.ejectionBase to 1h");
        }
        return new HealthConfig(host, port, panicBelow, base, max);
    }

    public HealthRules rules() {
        return new HealthRules(panicBelow, ejectionBase.toNanos(), ejectionMax.toNanos());
    }
}
