package dev.penstock.kit.trace;

import io.opentelemetry.api.common.AttributeKey;

/**
 * Names of every span, event and attribute, and their values where they are words of ours. {@code docs/traces.md} lists the
 * same, held to it by a test. Those that do not begin with {@code penstock.} are OpenTelemetry's (semantic conventions
 * 1.41; {@code gen_ai.*} is in development there and may yet be renamed).
 */
public final class TraceKeys {
    /** What the instrumentation calls itself. */
    public static final String SCOPE = "dev.penstock";

    /** A client's request from its head to its last byte. SERVER. */
    public static final String REQUEST_SPAN = "penstock.request";

    /** One decision. INTERNAL. */
    public static final String ROUTE_SPAN = "penstock.route";

    /** One attempt at one replica. CLIENT. */
    public static final String INFERENCE_SPAN = "llm.inference";

    /** On an attempt: the first byte of the engine's answer beyond its head. */
    public static final String FIRST_BYTE_EVENT = "first_byte";

    /** On a request: an attempt ended without an answer for the client, and another follows. */
    public static final String RETRY_EVENT = "retry";

    public static final AttributeKey<String> SERVICE_NAME = AttributeKey.stringKey("service.name");
    public static final AttributeKey<String> SERVICE_INSTANCE = AttributeKey.stringKey("service.instance.id");

    /** {@link #CHAT}, {@link #TEXT_COMPLETION} or {@link #EMBEDDINGS}. */
    public static final AttributeKey<String> OPERATION = AttributeKey.stringKey("gen_ai.operation.name");

    /** Always {@link #PENSTOCK}: nobody's price list applies to engines of one's own. */
    public static final AttributeKey<String> PROVIDER = AttributeKey.stringKey("gen_ai.provider.name");

    /** The model asked for, cut to {@link #MOST_MODEL_CHARS}. */
    public static final AttributeKey<String> MODEL = AttributeKey.stringKey("gen_ai.request.model");

    public static final AttributeKey<Boolean> STREAM = AttributeKey.booleanKey("gen_ai.request.stream");
    public static final AttributeKey<Long> INPUT_TOKENS = AttributeKey.longKey("gen_ai.usage.input_tokens");
    public static final AttributeKey<Long> OUTPUT_TOKENS = AttributeKey.longKey("gen_ai.usage.output_tokens");
    public static final AttributeKey<Long> STATUS_CODE = AttributeKey.longKey("http.response.status_code");

    /** The outcome, or the status where there is none; only on what failed. */
    public static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");

    /** The replica's name, never its address: traces leave the cluster further than addresses should. */
    public static final AttributeKey<String> SERVER_ADDRESS = AttributeKey.stringKey("server.address");

    public static final AttributeKey<String> REQUEST_ID = AttributeKey.stringKey("penstock.request.id");

    /** How often the request was tried elsewhere; absent where it was not. */
    public static final AttributeKey<Long> RETRIES = AttributeKey.longKey("penstock.retries");

    public static final AttributeKey<String> RETRY_REASON = AttributeKey.stringKey("penstock.retry.reason");

    /** The reason code, as {@code x-penstock-decision} says it. */
    public static final AttributeKey<String> DECISION = AttributeKey.stringKey("penstock.decision");

    public static final AttributeKey<String> STRATEGY = AttributeKey.stringKey("penstock.strategy");

    /** Name of the replica that was picked; absent where none was. */
    public static final AttributeKey<String> REPLICA = AttributeKey.stringKey("penstock.replica");

    public static final AttributeKey<Long> CANDIDATES = AttributeKey.longKey("penstock.candidates");
    public static final AttributeKey<Long> EXCLUDED = AttributeKey.longKey("penstock.excluded");

    /** Decided while most of the pool's telemetry was not FRESH. */
    public static final AttributeKey<Boolean> DEGRADED = AttributeKey.booleanKey("penstock.degraded");

    /** 1 for the first. */
    public static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("penstock.attempt");

    /** In lower case, as {@code penstock_router_attempts_total} says it. */
    public static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("penstock.outcome");

    public static final String CHAT = "chat";
    public static final String TEXT_COMPLETION = "text_completion";
    public static final String EMBEDDINGS = "embeddings";
    public static final String PENSTOCK = "penstock";

    /** Attempts that no engine saw a byte of have no outcome of a replica. */
    public static final String CONNECT_FAILURE = "connect_failure";

    /** A pooled connection that the engine had closed while it was idle. */
    public static final String CONNECTION_RESET = "connection_reset";

    /** A client may send any text as its model. */
    public static final int MOST_MODEL_CHARS = 100;

    private TraceKeys() {}
}
