package dev.penstock.admission.config;

import dev.penstock.kit.config.ConfigSection;
import dev.penstock.kit.config.ConfigTree;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Section {@code admission}. Keys that this version does not act on are read and shown, and a value that would promise something is
 * refused: a promise that nobody keeps is worse than none.
 *
 * @param host where the ports listen once {@code security.managementToken} is set
 * @param ledgerPort where holders of slots connect
 * @param ledgerHost what they are told to connect to; null = {@code host}, or this machine's address where that means all of them
 */
public record AdmissionConfig(
        String host,
        int managementPort,
        int restPort,
        int ledgerPort,
        @Nullable String ledgerHost) {
    private static final String LEAVE_OUT = "nothing, or the default: this version does not act on it";

    public static AdmissionConfig read(ConfigTree tree) {
        ConfigSection section = tree.section("admission");
        String host = section.string("host", "127.0.0.1");
        int managementPort = section.port("managementPort", 8084);
        int restPort = section.port("restPort", 8094);
        int ledgerPort = section.port("ledgerPort", 9084);
        String ledgerHost = section.optionalString("ledgerHost");
        refuse(section);
        return new AdmissionConfig(host, managementPort, restPort, ledgerPort, ledgerHost);
    }

    private static void refuse(ConfigSection section) {
        if (section.bool("strict", false)) section.problem("strict", "true", LEAVE_OUT);
        ConfigSection linger = section.section("abortLinger");
        refuseUnless(linger, "vllm", Duration.ofMillis(500));
        refuseUnless(linger, "sglang", Duration.ofSeconds(5));
        Duration reclaim = section.optionalDuration("reclaimAfter");
        if (reclaim != null) section.problem("reclaimAfter", reclaim.toMillis() + "ms", LEAVE_OUT);
    }

    private static void refuseUnless(ConfigSection section, String key, Duration only) {
        Duration value = section.duration(key, only);
        if (!value.equals(only)) section.problem(key, value.toMillis() + "ms", LEAVE_OUT);
    }
}
