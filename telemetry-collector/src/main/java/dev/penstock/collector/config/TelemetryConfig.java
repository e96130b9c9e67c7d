package dev.penstock.collector.config;

import dev.penstock.kit.config.ConfigSection;
import dev.penstock.kit.config.ConfigTree;
import java.time.Duration;

/**
 * Section {@code telemetry}.
 *
 * @param host where the management port listens once {@code security.managementToken} is set
 * @param interval between scrapes of a replica under load
 * @param idleInterval between scrapes of one that has nothing to do
 */
public record TelemetryConfig(String host, int managementPort, Duration interval, Duration idleInterval) {
    private static final Duration SHORTEST = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofSeconds(10);

    public static TelemetryConfig read(ConfigTree tree) {
        ConfigSection section = tree.section("telemetry");
        String host = section.string("host", "127.0.0.1");
        int port = section.port("managementPort", 8083);
        Duration interval = section.duration("interval", Duration.ofMillis(50));
        Duration idle = section.duration("idleInterval", Duration.ofSeconds(1));
        if (interval.compareTo(SHORTEST) < 0 || interval.compareTo(LONGEST) > 0) {
            section.problem("interval", interval.toMillis() + "ms", "10ms to 10s");
        }
        if (idle.compareTo(interval) < 0 || idle.compareTo(LONGEST) > 0) {
            section.problem("idleInterval", idle.toMillis() + "ms", "telemetry.interval to 10s");
        }
        return new TelemetryConfig(host, port, interval, idle);
    }
}
