package dev.penstock.kit.metrics;

/**
 * Names and labels of every metric: {@code penstock_<service>_<thing>_<unit>}, counters end in {@code _total}. Label values
 * come from closed sets or from the roster, never from a client. {@code docs/metrics.md} lists the same, held to it by a test.
 */
public final class MetricNames {
    /** Records given up: late, refused, or too many unsent. Label: topic. */
    public static final String BUS_DROPPED = "penstock_bus_dropped_total";

    /** 1 while Kafka answers. */
    public static final String BUS_CONNECTED = "penstock_bus_connected";

    /** Spans that did not reach the collector. Label: reason (queue_full, not_taken). */
    public static final String TRACE_SPANS_DROPPED = "penstock_trace_spans_dropped_total";

    /** Scrapes of engines. Label: result (ok, failed). */
    public static final String COLLECTOR_SCRAPES = "penstock_collector_scrapes_total";

    /** Lines of engines' pages that were no metric. */
    public static final String COLLECTOR_GARBAGE_LINES = "penstock_collector_garbage_lines_total";

    /** Messages of KV events that were no such thing. */
    public static final String COLLECTOR_KV_MALFORMED = "penstock_collector_kv_malformed_messages_total";

    /** Times that messages of KV events were missed. */
    public static final String COLLECTOR_KV_GAPS = "penstock_collector_kv_gaps_total";

    /** Cached blocks that could not be tied to the beginning of a prompt. */
    public static final String COLLECTOR_KV_LEFT_OUT = "penstock_collector_kv_left_out_blocks_total";
    /** Replicas scraped by this collector by what is known of their capacity. Label: state (learned, prior, unknown). */
    public static final String COLLECTOR_CAPACITY_REPLICAS = "penstock_collector_capacity_replicas";

    /** Highest over lowest learned capacity in a pool, of the replicas scraped by this collector. Label: pool. */
    public static final String COLLECTOR_CAPACITY_SPREAD = "penstock_collector_capacity_spread_ratio";

    /** Attempts at replicas by how they ended. Label: outcome. */
    public static final String ROUTER_ATTEMPTS = "penstock_router_attempts_total";

    /** Decisions by how they came out. Label: reason. */
    public static final String ROUTER_DECISIONS = "penstock_router_decisions_total";

    /** Decisions while most of a pool's telemetry was not FRESH. */
    public static final String ROUTER_DEGRADED_DECISIONS = "penstock_router_degraded_decisions_total";

    /** Requests this router has at engines. */
    public static final String ROUTER_INFLIGHT = "penstock_router_inflight";

    /** Bytes of request bodies held now. */
    public static final String ROUTER_BODY_BYTES = "penstock_router_body_bytes";

    /** Replicas this router has quarantined. */
    public static final String ROUTER_QUARANTINED = "penstock_router_quarantined_replicas";

    /** Age of the youngest telemetry frame. */
    public static final String ROUTER_VIEW_AGE = "penstock_router_view_age_seconds";

    /** Session pins this router knows. */
    public static final String ROUTER_PINS = "penstock_router_pins";

    /** Pins and moves told to Redis. Label: result (accepted, overtaken by another router, dropped). */
    public static final String ROUTER_PIN_PROPOSALS = "penstock_router_pin_proposals_total";

    /** 1 while Redis tells pins. */
    public static final String ROUTER_PINS_CONNECTED = "penstock_router_pins_connected";

    /** Bytes of prompts by whether the replica they went to is taken to have computed them. Label: result (hit, miss). */
    public static final String ROUTER_PREFIX_BYTES = "penstock_router_prefix_bytes_total";

    /** Prefix blocks that routers tell each other. Label: result (told, heard, dropped). */
    public static final String ROUTER_PREFIX_BLOCKS = "penstock_router_prefix_blocks_total";

    /** Requests tried at another replica, by {@code reason}. */
    public static final String ROUTER_RETRIES = "penstock_router_retries_total";

    /** Requests that were not tried at another replica because the retry budget was spent. */
    public static final String ROUTER_RETRIES_REFUSED = "penstock_router_retries_refused_total";

    /** Tokens that engines said they used, by {@code kind}. */
    public static final String ROUTER_TOKENS = "penstock_router_tokens_total";

    /** Server-sent events relayed. */
    public static final String ROUTER_STREAM_EVENTS = "penstock_router_stream_events_total";

    /** Requests that clients gave up and that may still run at an engine. */
    public static final String ROUTER_LINGERING = "penstock_router_lingering";

    /** Requests about jobs and stored answers by how they ended. Label: result (relayed, not_found, gone, failed). */
    public static final String ROUTER_JOB_REQUESTS = "penstock_router_job_requests_total";

    /** Jobs written to the index that they are listed from, and taken out of it. Label: result (ok, dropped). */
    public static final String ROUTER_JOB_INDEX = "penstock_router_job_index_writes_total";

    public static final String KIND_LABEL = "kind";
    public static final String TOPIC_LABEL = "topic";
    public static final String RESULT_LABEL = "result";
    public static final String OUTCOME_LABEL = "outcome";
    public static final String REASON_LABEL = "reason";
    public static final String STATE_LABEL = "state";
    public static final String POOL_LABEL = "pool";

    private MetricNames() {}
}
