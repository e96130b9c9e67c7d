package dev.penstock.collector.config;

import dev.penstock.collector.discovery.DiscoveredReplica;
import dev.penstock.collector.discovery.ReplicaRules;
import dev.penstock.kit.config.ConfigSection;
import dev.penstock.kit.config.ConfigTree;
import dev.penstock.model.EngineKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Section {@code discovery}.
 *
 * @param replicas of source {@code static}; labels can be given in a replica file only
 */
public record DiscoveryConfig(Source source, Path file, List<DiscoveredReplica> replicas) {

    /** Where the list of replicas comes from. */
    public enum Source {
        FILE,
        STATIC
    }

    public static DiscoveryConfig read(ConfigTree tree) {
        ConfigSection section = tree.section("discovery");
        Source source = section.choice("source", Source.class, Source.FILE);
        Path file = Path.of(section.string("file", "replicas.yaml"));
        List<DiscoveredReplica> replicas = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (ConfigSection each : section.list("replicas")) {
            DiscoveredReplica replica = replica(each);
            if (!names.add(replica.name())) each.problem("name", replica.name(), "a name that no other replica has");
            replicas.add(replica);
        }
        return new DiscoveryConfig(source, file, List.copyOf(replicas));
    }

    private static DiscoveredReplica replica(ConfigSection each) {
        String name = each.string("name", "");
        if (!ReplicaRules.name(name)) each.problem("name", name, ReplicaRules.NAME);
        String engine = each.string("engine", "auto");
        EngineKind kind = ReplicaRules.engine(engine);
        if (kind == null) each.problem("engine", engine, ReplicaRules.ENGINE);
        String endpoint = each.string("endpoint", "");
        check(each, "endpoint", endpoint);
        String metricsEndpoint = each.optionalString("metricsEndpoint");
        if (metricsEndpoint != null) check(each, "metricsEndpoint", metricsEndpoint);
        int maxInflight = each.integer("maxInflight", 0, 0, Integer.MAX_VALUE);
        return new DiscoveredReplica(
                name,
                ReplicaRules.base(endpoint),
                metricsEndpoint == null ? null : ReplicaRules.base(metricsEndpoint),
                each.strings("models", List.of()),
                kind == null ? EngineKind.AUTO : kind,
                each.optionalString("hardwareClass"),
                each.optionalString("zone"),
                maxInflight == 0 ? null : maxInflight,
                Map.of(),
                kvSource(each),
                null);
    }

    private static DiscoveredReplica.@Nullable KvSource kvSource(ConfigSection each) {
        String events = kvAddress(each, "kvEvents");
        String replay = kvAddress(each, "kvReplay");
        if (replay != null && events == null) each.problem("kvReplay", replay, "kvEvents beside it");
        return events == null ? null : new DiscoveredReplica.KvSource(events, replay);
    }

    private static @Nullable String kvAddress(ConfigSection each, String key) {
        String address = each.optionalString(key);
        if (address != null && !ReplicaRules.kvEvents(address)) each.problem(key, address, ReplicaRules.KV_EVENTS);
        return address;
    }

    private static void check(ConfigSection each, String key, @Nullable String url) {
        if (url == null || !ReplicaRules.endpoint(url)) each.problem(key, String.valueOf(url), ReplicaRules.ENDPOINT);
    }
}
