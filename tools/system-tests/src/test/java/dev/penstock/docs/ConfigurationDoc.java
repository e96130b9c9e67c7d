package dev.penstock.docs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.penstock.admission.config.AdmissionConfig;
import dev.penstock.advisor.config.AdvisorConfig;
import dev.penstock.collector.config.DiscoveryConfig;
import dev.penstock.collector.config.TelemetryConfig;
import dev.penstock.health.config.HealthConfig;
import dev.penstock.kit.config.ConfigException;
import dev.penstock.kit.config.ConfigTree;
import dev.penstock.kit.config.DataConfig;
import dev.penstock.kit.config.KafkaConfig;
import dev.penstock.kit.config.ModelConfig;
import dev.penstock.kit.config.RedisConfig;
import dev.penstock.kit.config.SecurityConfig;
import dev.penstock.kit.trace.TracingConfig;
import dev.penstock.router.config.RouterConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * {@code docs/configuration.md}, made of what the services' own records read from a configuration that sets nothing but one
 * replica and one model, which show the keys of an entry. What a key means is said here.
 */
final class ConfigurationDoc {
    private static final String ENTRIES = """
        discovery:
          replicas:
            - {name: engine-0, endpoint: "http://127.0.0.1:20000"}
        models:
          - {name: sim/llama-3-8b}
        """;

    /** Sections in the order of the document, and who reads them. */
    private static final Map<String, String> SECTIONS = ordered(
            "kafka", "all services",
            "redis", "all services",
            "security", "all services",
            "data", "routers",
            "discovery", "telemetry-collector",
            "telemetry", "telemetry-collector",
            "health", "health-svc",
            "admission", "admission-svc",
            "router", "routers",
            "advisor", "autoscale-advisor",
            "tracing", "routers",
            "models",
                    "routers, admission-svc (again when the file changes), autoscale-advisor (`scaling`),"
                            + " telemetry-collector (`prefix`)");

    private static final String HOST =
            "where the management port listens once `security.managementToken` is set; without it 127.0.0.1";
    private static final String REFUSED = "coming; any other value is refused";
    private static final String PORT = "management; 0 = any free port, for every port";

    private static final Map<String, String> DESCRIPTIONS = ordered(
            "kafka.bootstrapServers", "brokers, separated by commas",
            "kafka.replicationFactor",
                    "of topics that are created; a cluster of one broker gets 1, and the log says so",
            "redis.url", "`redis://` or `rediss://`, with credentials where needed",
            "security.apiKeysFile",
                    "YAML with the hashes of the API keys that clients may show, looked at each second;"
                            + " [how it looks](security.md)",
            "security.jwksFile",
                    "JSON Web Key Set: public keys that sign the tokens clients may show, looked at each second;"
                            + " without either file everybody is served",
            "security.jwt.issuer", "what a token's `iss` must be; null = anything",
            "security.jwt.audience", "what must be among a token's `aud`; null = anything",
            "security.jwt.tenantClaim", "the claim that names the tenant",
            "security.jwt.modelsClaim", "the claim that lists the models it may use; a token without it may use all",
            "security.jobKeyFile",
                    "file with 32 random bytes or more, the same at all routers: the key of the ids of jobs and stored"
                            + " answers; null = one that routers share by Redis; [what for](jobs.md)",
            "security.managementToken",
                    "bearer token of management ports (not `/livez`, `/readyz`); 16 characters or more",
            "data.directory", "a router keeps its copy of the roster here",
            "discovery.source", "`file` or `static`",
            "discovery.file", "list of replicas, looked at each 500 ms; relative to the working directory",
            "discovery.replicas[].name", "required; unique",
            "discovery.replicas[].endpoint", "required; base URL of the engine",
            "discovery.replicas[].metricsEndpoint", "base URL of its metrics where that is another",
            "discovery.replicas[].models", "asked for at `/v1/models` where empty",
            "discovery.replicas[].engine", "`vllm`, `sglang` or `auto`: the collector finds out",
            "discovery.replicas[].hardwareClass", "a name for equal hardware; not acted on yet",
            "discovery.replicas[].zone", "not acted on yet",
            "discovery.replicas[].kvEvents",
                    "where it publishes KV events, `tcp://host:port`; for `prefix.mode: events`",
            "discovery.replicas[].kvReplay", "where it tells them again; null = a gap forgets what it holds",
            "discovery.replicas[].maxInflight",
                    "0 = not given; this replica's slots in the ledger; not kept as a limit by routers yet",
            "telemetry.host", HOST,
            "telemetry.managementPort", PORT,
            "telemetry.interval", "between scrapes of a replica under load, 10ms to 10s",
            "telemetry.idleInterval", "between scrapes of an idle one, `telemetry.interval` to 10s",
            "health.host", HOST,
            "health.managementPort", PORT,
            "health.panicBelow", "share of a pool that soft ejections leave routable",
            "health.ejectionBase", "term of a first ejection, doubled by each further one; 100ms to 1h",
            "health.ejectionMax", "longest term; `health.ejectionBase` to 1h",
            "admission.host", "where the ports listen once there is a token; without it 127.0.0.1",
            "admission.managementPort", PORT,
            "admission.restPort", "`/v1/policies`",
            "admission.ledgerPort", "the slot ledger, gRPC: holders of slots connect here",
            "admission.ledgerHost",
                    "what holders are told to connect to; not set: `admission.host`, or this machine's address where"
                            + " that is all of them",
            "admission.strict", REFUSED,
            "admission.abortLinger.vllm", REFUSED,
            "admission.abortLinger.sglang", REFUSED,
            "admission.reclaimAfter", REFUSED,
            "router.name", "of this router; else that of its process (`PENSTOCK_NAME`)",
            "router.host", "where traffic is listened for; the management port too once there is a token",
            "router.port", "traffic",
            "router.managementPort", PORT,
            "router.managementUrl",
                    "where other routers reach the management port; null = `http://HOST:PORT` that it listens on, or"
                            + " this machine's own address when it listens on all",
            "router.bodyMemory", "bytes of all request bodies together; above it 429",
            "router.maxBody", "bytes of one request body; above it 413",
            "router.grace",
                    "how long running requests may take to end when the router is told to stop; who kills it must wait"
                            + " for longer ([shutdown](operations.md#stopping-a-router))",
            "router.h2c", "whether clients may begin with HTTP/2 in clear text, beside HTTP/1.1",
            "router.warmUp",
                    "some thousand requests to itself before readiness (4 s at most), so that no client meets cold"
                            + " code",
            "advisor.host", "where REST and gRPC listen; the management port too once there is a token",
            "advisor.managementPort", PORT,
            "advisor.restPort", "recommendations",
            "advisor.grpcPort", "KEDA's external scaler, h2c",
            "tracing.otlpEndpoint",
                    "base URL of a collector that takes OTLP over HTTP, like `http://127.0.0.1:4318`; null = no traces"
                            + " (`docs/traces.md`)",
            "tracing.sample", "share of requests that are traced where no `traceparent` decides, 0% to 100%",
            "tracing.captureErrors",
                    "true is refused: a request that is not sampled leaves no span, however it ends; trace all and let"
                            + " the collector keep failures",
            "models[].name", "required; what clients send and engines are sent",
            "models[].aliases", "further names that clients may send",
            "models[].strategy",
                    "how a replica is picked: `random`, `least-request`, `least-request-top-k`, `power-of-two`,"
                        + " `load-balance` (by load, capacity and KV cache, sessions and warm prefixes),"
                        + " `prefix-cache` or `session-affinity`, or up to 4 with weights: `random:1,load-balance:2`",
            "models[].strategyOptions.k", "how many of the least loaded are looked at, 1 to 8; null = by density",
            "models[].strategyOptions.epsilon",
                    "how many requests above the least loaded is still a tie; null = by density",
            "models[].strategyOptions.queuedWeight",
                    "what a request that waits in the engine counts beyond being in flight, 0 to 16",
            "models[].strategyOptions.kvPressureAlpha", "a replica whose KV cache is full weighs 1 + this, 0 to 16",
            "models[].strategyOptions.kvCriticalFree",
                    "with a smaller share of its KV cache free a replica weighs eight times as much, 0 to 1",
            "models[].strategyOptions.imbalanceFactor", REFUSED,
            "models[].strategyOptions.imbalanceMinGap", REFUSED,
            "models[].clientStrategies",
                    "what the request header `routing-strategy` may choose instead, letter by letter as"
                            + " `/v1/policies` shows it; others are ignored",
            "models[].slowStart",
                    "a replica is favoured less for this long after it became ready; 0s = off, 600s at most",
            "models[].requestsPerSecondPerReplica", "rate limit: this times the routable replicas; null = none",
            "models[].scaling.targetConcurrency", "requests at once a replica is planned for; `auto` = 16",
            "models[].scaling.min", "replicas at least; 0 lets a pool go to zero",
            "models[].scaling.max", "replicas at most; null = no bound",
            "models[].scaling.upWindow", "more must be needed for this long; a surge does not wait",
            "models[].scaling.downWindow", "what was needed at any time within it is kept",
            "models[].maxInflightPerReplica",
                    "coming; routers refuse a number; auto = 1,024 slots in the ledger, which routers do not follow"
                            + " yet",
            "models[].deadline", "of the whole request, 100ms to 24h; null = none",
            "models[].retry.on",
                    "what is tried again on another replica beside failed connects and back-pressure, before the"
                            + " client got a byte: any of `500`, `502`, `504`, `reset` (broke after it was sent); the"
                            + " engine may generate twice then",
            "models[].retry.budget",
                    "retries of a router as a share of its requests of the last 10 s; never less than one",
            "models[].stream.commitAfter",
                    "a client that streams has its answer begun after this long, with comments to keep the connection"
                        + " alive until the engine begins, and can be failed over no more; 100ms to 24h; null = off",
            "models[].stream.firstByte",
                    "how long an engine may take to the first byte of its answer, 100ms to 24h; null = as long as it"
                            + " likes",
            "models[].stream.idle",
                    "an answer that has begun and is silent for this long is ended, 100ms to 24h; so is one whose"
                            + " client reads nothing for it",
            "models[].defaultMaxTokens",
                    "what a request that sets no limit may generate; null = what the engine lets it",
            "models[].split",
                    "canary: models that requests for this name go to, with weights from 1 to 1000, as in"
                            + " `{sim/llama-3-8b: 95, sim/llama-3-8b-next: 5}`; other listed models without a split of"
                            + " their own, or this one; 16 at most; null = all go to this one",
            "models[].session.headers",
                    "headers that name a request's session (`docs/affinity.md`), the first that is not empty; 8 at"
                            + " most",
            "models[].session.fields", "else fields at the top of its body, strings; 8 at most",
            "models[].prefix.mode",
                    "how routers learn which replica has which prompt prefix cached: `off`, `approximate` = by what"
                            + " they sent where, `events` = by what engines publish (`kvEvents` of a replica; of chats"
                            + " little is found where the engine's template puts something around messages:"
                            + " `decisions/0020`)",
            "models[].prefix.vocabulary",
                    "with `events`: what the engines' tokens stand for; `bytes4` (simulated engines) or the path of a"
                            + " `tokenizer.json` of a byte-level BPE, read by the collector when it starts",
            "models[].queue.maxWait", REFUSED,
            "models[].queue.maxBytes", REFUSED);

    private static final String INTRO = """
        # Configuration

        Written by `ConfigurationDocTest` from the services' own records; change those, not this file.

        - **One file for all services**, YAML, given with `--config FILE`; each service reads its own sections and the shared
          ones. Without a file everything has its default.
        - **Environment**: `PENSTOCK__ROUTER__PORT=8080` goes before the file. Double underscores stand between keys, and upper
          and lower case are the same. An empty variable means null. Lists of texts are separated by commas; lists of
          sections (`models`, `discovery.replicas`) are set in the file only.
        - **Units**: durations are whole numbers with `ms`, `s`, `m` or `h`; sizes with `B`, `KiB`, `MiB` or `GiB`; shares end
          in `%`.
        - **An unknown key, or a wrong value, refuses the start** (exit code 2): one report names every problem by path, value
          and expectation. Sections of other services are left alone.
        - **`--print-config`** prints what a service would go by, with defaults filled in and secrets hidden, and exits. A
          running service shows the same at `/debug/config`.
        - **Hot reload**: admission-svc looks at the file's `models` each second and publishes changes of name, aliases,
          strategies, sessions, prefix mode, slow start, rate, deadline, retries, streams, token limit and split, which
          routers obey at once. A wrong or empty file changes nothing: the last good models stay, and admission-svc is not
          ready. `models: []` means no models. Everything else, `scaling` included, is read at the start.
        - `PENSTOCK_NAME` names an instance. It is no key, and must be unique among the instances of a service.

        Keys that this version does not act on have their defaults here; another value is refused, because a limit that
        nobody keeps is worse than none. They are marked "coming".
        """;

    private final Map<String, String> pathToDefault;

    private ConfigurationDoc(Map<String, String> pathToDefault) {
        this.pathToDefault = pathToDefault;
    }

    static ConfigurationDoc ofRecords() {
        ConfigTree tree = ConfigTree.of(ENTRIES);
        KafkaConfig.read(tree);
        RedisConfig.read(tree);
        SecurityConfig.read(tree);
        DataConfig.read(tree);
        DiscoveryConfig.read(tree);
        TelemetryConfig.read(tree);
        HealthConfig.read(tree);
        AdmissionConfig.read(tree);
        RouterConfig.read(tree);
        AdvisorConfig.read(tree);
        TracingConfig.read(tree);
        ModelConfig.readAll(tree);
        try {
            tree.finish();
        } catch (ConfigException e) {
            throw new IllegalStateException("the defaults are refused", e);
        }
        Map<String, String> pathToDefault = new LinkedHashMap<>();
        flatten("", tree.effective(), pathToDefault);
        pathToDefault.put("discovery.replicas[].name", "");
        pathToDefault.put("discovery.replicas[].endpoint", "");
        pathToDefault.put("models[].name", "");
        return new ConfigurationDoc(pathToDefault);
    }

    Set<String> undescribed() {
        Set<String> missing = new TreeSet<>(pathToDefault.keySet());
        missing.removeAll(DESCRIPTIONS.keySet());
        return missing;
    }

    Set<String> describedInVain() {
        Set<String> vain = new TreeSet<>(DESCRIPTIONS.keySet());
        vain.removeAll(pathToDefault.keySet());
        return vain;
    }

    String render() {
        StringBuilder text = new StringBuilder(INTRO);
        List<String> rest = new ArrayList<>(pathToDefault.keySet());
        SECTIONS.forEach((section, readers) -> {
            text.append("\n## ")
                    .append(section)
                    .append("\n\nRead by ")
                    .append(readers)
                    .append(".\n\n");
            text.append("| key | default | environment | |\n|---|---|---|---|\n");
            rest.removeIf(path -> {
                if (!path.startsWith(section + ".") && !path.startsWith(section + "[")) return false;
                row(text, path);
                return true;
            });
        });
        if (!rest.isEmpty()) throw new IllegalStateException("in no section of ConfigurationDoc.SECTIONS: " + rest);
        return text.toString();
    }

    private void row(StringBuilder text, String path) {
        String defaultValue = pathToDefault.get(path);
        boolean entry = path.contains("[]");
        text.append("| `").append(path).append("` | ").append(defaultValue).append(" | ");
        text.append(entry ? "" : "`" + variable(path) + "`").append(" | ");
        text.append(DESCRIPTIONS.getOrDefault(path, "")).append(" |\n");
    }

    private static String variable(String path) {
        return "PENSTOCK__" + path.toUpperCase(Locale.ROOT).replace(".", "__");
    }

    private static void flatten(String path, ObjectNode section, Map<String, String> into) {
        for (Map.Entry<String, JsonNode> entry : section.properties()) {
            String key = path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
            JsonNode value = entry.getValue();
            if (value instanceof ObjectNode below) flatten(key, below, into);
            else if (value.path(0) instanceof ObjectNode first) flatten(key + "[]", first, into);
            else into.put(key, shown(value));
        }
    }

    private static String shown(JsonNode value) {
        if (!value.isArray()) return value.asText("null");
        List<String> texts = new ArrayList<>();
        value.forEach(each -> texts.add(each.asText()));
        return "[" + String.join(", ", texts) + "]";
    }

    private static Map<String, String> ordered(String... keysAndValues) {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) map.put(keysAndValues[i], keysAndValues[i + 1]);
        return map;
    }
}
