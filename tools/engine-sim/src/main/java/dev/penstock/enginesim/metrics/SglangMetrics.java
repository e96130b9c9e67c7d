package dev.penstock.enginesim.metrics;

import dev.penstock.enginesim.step.Profile;
import dev.penstock.enginesim.step.Sequence;
import dev.penstock.enginesim.step.StepObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * SGLang's page: what the simulator does under SGLang's names, which are listed here and nowhere else.
 *
 * <p>Counters move with the work. Gauges do not: the scheduler sets them when a batch had prompt tokens and in every
 * {@value #DECODE_LOG_INTERVAL}th decode step, and once in 30 s when it is idle. In between they show what was true then,
 * so an engine that has just become idle looks busy for up to half a minute.
 */
public final class SglangMetrics implements StepObserver {
    static final int DECODE_LOG_INTERVAL = 40;
    static final long IDLE_FLUSH_NANOS = 30_000_000_000L;

    private static final double NANOS_PER_SECOND = 1e9;

    /** What the gauges say. */
    private record Published(int running, int waiting, double kvUsage, double throughput, double hitRate) {
        static final Published NOTHING = new Published(0, 0, 0, 0, 0);
    }

    private final Profile profile;
    private final String model;
    private final Gauges live;
    private final LongSupplier nanoClock;

    private final Counter promptTokens = new Counter();
    private final Counter generationTokens = new Counter();
    private final Counter cachedTokens = new Counter();
    private final Counter requests = new Counter();
    private final Counter aborted = new Counter();
    private final Counter retracted = new Counter();
    private final Counter prefillComputed = new Counter();
    private final Histogram timeToFirstToken = new Histogram(Bounds.sglangFirstToken());
    private final Histogram interTokenLatency = new Histogram(Bounds.sglangInterToken());
    private final Histogram endToEnd = new Histogram(Bounds.sglangRequestTime());
    private final Histogram queueTime = new Histogram(Bounds.sglangRequestTime());

    private Published published = Published.NOTHING;
    private long publishedNanos;
    private double publishedTokens;
    private int decodeSteps;
    private int stepPromptTokens;
    private int stepCachedTokens;

    /** @param live the scheduler's own numbers, which the page shows late */
    public SglangMetrics(Profile profile, String model, Gauges live, LongSupplier nanoClock) {
        this.profile = profile;
        this.model = model;
        this.live = live;
        this.nanoClock = nanoClock;
        this.publishedNanos = nanoClock.getAsLong();
    }

    /** As in a new process. */
    public void reset() {
        List.of(promptTokens, generationTokens, cachedTokens, requests, aborted, retracted, prefillComputed)
                .forEach(Resettable::reset);
        List.of(timeToFirstToken, interTokenLatency, endToEnd, queueTime).forEach(Resettable::reset);
        published = Published.NOTHING;
        publishedTokens = 0;
        publishedNanos = nanoClock.getAsLong();
    }

    @Override
    public void scheduled(Sequence sequence) {
        stepPromptTokens += sequence.promptTokens();
        stepCachedTokens += sequence.cachedTokens();
    }

    /** Sets the gauges to the scheduler's numbers at the end of the batch. */
    @Override
    public void stepEnded(int tokens, int prefillTokens) {
        prefillComputed.add(prefillTokens);
        if (prefillTokens > 0) {
            publish(stepPromptTokens == 0 ? 0 : (double) stepCachedTokens / stepPromptTokens);
        } else if (++decodeSteps % DECODE_LOG_INTERVAL == 0) {
            publish(0);
        }
        stepPromptTokens = 0;
        stepCachedTokens = 0;
    }

    @Override
    public void preempted(Sequence sequence) {
        retracted.add(1);
    }

    @Override
    public void prefilled(Sequence sequence) {
        promptTokens.add(sequence.promptTokens());
        cachedTokens.add(sequence.cachedTokens());
        if (sequence.outputTokens() > 0) {
            generationTokens.add(1);
        }
        timeToFirstToken.observe(seconds(sequence.arrivalNanos(), sequence.firstTokenNanos()));
    }

    @Override
    public void decoded(Sequence sequence, long gapNanos) {
        generationTokens.add(1);
        interTokenLatency.observe(gapNanos / NANOS_PER_SECOND);
    }

    @Override
    public void finished(Sequence sequence) {
        requests.add(1);
        endToEnd.observe(seconds(sequence.arrivalNanos(), sequence.lastTokenNanos()));
        queueTime.observe(seconds(sequence.readyNanos(), sequence.scheduledNanos()));
    }

    @Override
    public void aborted(Sequence sequence) {
        aborted.add(1);
    }

    /** Output tokens per second between the last two times the gauges were set. */
    public double throughput() {
        return published.throughput;
    }

    /** Share of the last prefill batch's prompts that was cached. */
    public double hitRate() {
        return published.hitRate;
    }

    /** Always a multi-process page: nothing of Python and of the process. */
    public MetricPage page(SglangHttpMetrics http) {
        return page(List.of(this), http);
    }

    /** Of an engine of several ranks; here {@code dp_rank} tells counters apart as well, which SGLang adds up. */
    public static MetricPage page(List<SglangMetrics> ranks, SglangHttpMetrics http) {
        List<FamilyList> lists = new ArrayList<>();
        for (int i = 0; i < ranks.size(); i++) {
            Map<String, String> rank = ranks.size() == 1 ? Map.of() : Map.of("dp_rank", Integer.toString(i));
            lists.add(ranks.get(i).families(rank));
        }
        FamilyList all = FamilyList.merged(lists);
        http.addTo(all);
        return new MetricPage(all.families());
    }

    private FamilyList families(Map<String, String> rank) {
        Map<String, String> scheduler = new TreeMap<>(rank);
        scheduler.putAll(Map.of(
                "engine_type", "unified", "model_name", model, "moe_ep_rank", "0", "pp_rank", "0", "tp_rank", "0"));
        FamilyList gauges = new FamilyList(scheduler);
        addGauges(gauges, scheduler);
        FamilyList counts = new FamilyList(Labels.with(rank, "model_name", model));
        addCounts(counts);
        gauges.addAll(counts);
        return gauges;
    }

    private void addGauges(FamilyList list, Map<String, String> scheduler) {
        list.gauge("sglang:num_running_reqs", "The number of running requests.", () -> shown().running);
        list.gauge("sglang:num_queue_reqs", "The number of requests in the waiting queue.", () -> shown().waiting);
        list.gauge("sglang:num_grammar_queue_reqs", "The number of requests in the grammar waiting queue.", () -> 0);
        list.gauge("sglang:num_retracted_reqs", "The number of retracted requests.", retracted::value);
        list.gauge("sglang:num_paused_reqs", "The number of paused requests by async weight sync.", () -> 0);
        list.gauge("sglang:token_usage", "The token usage.", () -> shown().kvUsage);
        list.gauge(
                "sglang:num_used_tokens",
                "The number of used tokens.",
                () -> Math.rint(shown().kvUsage * maxTotalTokens()));
        list.gauge(
                "sglang:max_total_num_tokens",
                "Maximum total number of tokens in the KV cache pool.",
                this::maxTotalTokens);
        list.gauge("sglang:gen_throughput", "The generation throughput (token/s).", () -> shown().throughput);
        list.gauge("sglang:cache_hit_rate", "The prefix cache hit rate.", () -> shown().hitRate);
        list.gauge("sglang:utilization", "The utilization.", () -> 0);
        Map<String, String> config = Labels.with(
                Labels.with(scheduler, "page_size", Integer.toString(Profile.BLOCK_TOKENS)),
                "num_pages",
                Integer.toString(profile.kvBlocks()));
        list.add(
                "sglang:cache_config_info",
                "gauge",
                "Information of the cache configuration.",
                SampleLine.of("sglang:cache_config_info", config, () -> 1));
    }

    private void addCounts(FamilyList list) {
        list.counter("sglang:prompt_tokens_total", "Number of prefill tokens processed.", promptTokens::value);
        list.counter(
                "sglang:generation_tokens_total", "Number of generation tokens processed.", generationTokens::value);
        list.split(
                "sglang:cached_tokens_total",
                "counter",
                "Number of cached prompt tokens.",
                "cache_source",
                new FamilyList.Part("device", cachedTokens::value));
        list.counter("sglang:num_requests_total", "Number of requests processed.", requests::value);
        list.counter("sglang:num_aborted_requests_total", "Number of requests aborted.", aborted::value);
        list.counter("sglang:num_retracted_requests_total", "Number of requests retracted.", retracted::value);
        list.split(
                "sglang:realtime_tokens_total",
                "counter",
                "Number of tokens processed, as they are.",
                "mode",
                new FamilyList.Part("prefill_compute", prefillComputed::value),
                new FamilyList.Part("prefill_cache", cachedTokens::value),
                new FamilyList.Part("decode", generationTokens::value));
        list.histogram(
                "sglang:time_to_first_token_seconds", "Histogram of time to first token in seconds.", timeToFirstToken);
        list.histogram(
                "sglang:inter_token_latency_seconds",
                "Histogram of inter-token latency in seconds.",
                interTokenLatency);
        list.histogram(
                "sglang:e2e_request_latency_seconds", "Histogram of End-to-end request latency in seconds", endToEnd);
        list.histogram("sglang:queue_time_seconds", "Histogram of queueing time in seconds.", queueTime);
    }

    /** The idle flush has no timer: it is due when somebody looks. */
    private Published shown() {
        boolean idle = live.running().getAsDouble() == 0 && live.waiting().getAsDouble() == 0;
        if (idle && nanoClock.getAsLong() - publishedNanos >= IDLE_FLUSH_NANOS) {
            publish(0);
        }
        return published;
    }

    private void publish(double hitRate) {
        long now = nanoClock.getAsLong();
        double tokens = generationTokens.value();
        double elapsed = (now - publishedNanos) / NANOS_PER_SECOND;
        published = new Published(
                (int) live.running().getAsDouble(),
                (int) live.waiting().getAsDouble(),
                live.kvUsage().getAsDouble(),
                elapsed > 0 ? Math.max(0, tokens - publishedTokens) / elapsed : 0,
                hitRate);
        publishedNanos = now;
        publishedTokens = tokens;
    }

    private double maxTotalTokens() {
        return (double) profile.kvBlocks() * Profile.BLOCK_TOKENS;
    }

    private static double seconds(long fromNanos, long toNanos) {
        return (toNanos - fromNanos) / NANOS_PER_SECOND;
    }
}
