package dev.penstock.router.config;

import dev.penstock.kit.config.ConfigSection;
import dev.penstock.kit.config.ConfigTree;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Section {@code router}.
 *
 * @param name of this router, or null for the name of its process
 * @param managementUrl where other routers reach the management port, or null for where it listens
 * @param bodyMemory bytes that request bodies may take together; above it requests are refused with 429
 * @param maxBody bytes of one request body; above it 413
 * @param grace how long running requests may take to end when the router is told to stop
 * @param h2c whether clients may speak HTTP/2 in clear text
 * @param warmUp decide some 20,000 times before readiness, so that no client meets cold code
 */
public record RouterConfig(
        @Nullable String name,
        String host,
        int port,
        int managementPort,
        @Nullable ManagementUrl managementUrl,
        long bodyMemory,
        long maxBody,
        Duration grace,
        boolean h2c,
        boolean warmUp) {
    private static final long MIB = 1 << 20;
    /** SDKs give a request 600 s. */
    private static final Duration DEFAULT_GRACE = Duration.ofSeconds(660);

    /** The defaults, listening there: for a listener that no file describes. */
    public static RouterConfig listeningOn(String host, int port) {
        return new RouterConfig(null, host, port, 0, null, 256 * MIB, 100 * MIB, DEFAULT_GRACE, false, false);
    }

    public static RouterConfig read(ConfigTree tree) {
        ConfigSection section = tree.section("router");
        return new RouterConfig(
                section.optionalString("name"),
                section.string("host", "127.0.0.1"),
                section.port("port", 8080),
                section.port("managementPort", 8081),
                url(section, "managementUrl"),
                section.bytes("bodyMemory", 256 * MIB),
                section.bytes("maxBody", 100 * MIB),
                section.duration("grace", DEFAULT_GRACE),
                section.bool("h2c", true),
                section.bool("warmUp", true));
    }

    private static @Nullable ManagementUrl url(ConfigSection section, String key) {
        String text = section.optionalString(key);
        if (text == null) return null;
        ManagementUrl url = ManagementUrl.parse(text);
        if (url == null) section.problem(key, text, ManagementUrl.EXPECTED);
        return url;
    }
}
