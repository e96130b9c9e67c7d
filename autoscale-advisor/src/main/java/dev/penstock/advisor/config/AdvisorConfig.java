package dev.penstock.advisor.config;

import dev.penstock.kit.config.ConfigSection;
import dev.penstock.kit.config.ConfigTree;

/**
 * Section {@code advisor}.
 *
 * @param host where REST and gRPC listen, and the management port once {@code security.managementToken} is set
 */
public record AdvisorConfig(String host, int managementPort, int restPort, int grpcPort) {
    public static AdvisorConfig read(ConfigTree tree) {
        ConfigSection section = tree.section("advisor");
        return new AdvisorConfig(
                section.string("host", "127.0.0.1"),
                section.port("managementPort", 8085),
                section.port("restPort", 8090),
                section.port("grpcPort", 9090));
    }
}
