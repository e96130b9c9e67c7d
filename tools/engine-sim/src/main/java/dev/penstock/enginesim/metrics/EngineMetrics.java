package dev.penstock.enginesim.metrics;

import dev.penstock.enginesim.metrics.FamilyList.Part;
import dev.penstock.enginesim.step.Profile;
import dev.penstock.enginesim.step.Sequence;
import dev.penstock.enginesim.step.StepObserver;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;

/**
 * The vLLM part of the page: counts what the simulator does under vLLM's names. Names and their meaning are listed here
 * and nowhere else. What the simulator has not got (external and multimodal cache) stays 0.
 *
 * <p>As in vLLM an aborted request is counted with its prompt, if that was computed, and in no per-request metric.
 */
public final class EngineMetrics implements StepObserver {
    private static final double NANOS_PER_SECOND = 1e9;

    private final Profile profile;
    private final MetricDialect dialect;
    private final String model;

    private final Counter promptTokens = new Counter();
    private final Counter cachedTokens = new Counter();
    private final Counter queriedTokens = new Counter();
    private final Counter preemptions = new Counter();
    /** Of the prompts in {@link #promptTokens}, so that the two belong together whenever the page is read. */
    private final Counter cachedPromptTokens = new Counter();

    private final Counter generationTokens = new Counter();
    private final Counter stopped = new Counter();
    private final Counter ranToLength = new Counter();
    private final Histogram iterationTokens = new Histogram(Bounds.iterationTokens());
    private final Histogram timeToFirstToken = new Histogram(Bounds.timeToFirstToken());
    private final Histogram interTokenLatency = new Histogram(Bounds.interToken());
    private final Histogram timePerOutputToken = new Histogram(Bounds.interToken());
    private final Histogram endToEnd = new Histogram(Bounds.requestTime());
    private final Histogram queueTime = new Histogram(Bounds.requestTime());
    private final Histogram inferenceTime = new Histogram(Bounds.requestTime());
    private final Histogram prefillTime = new Histogram(Bounds.requestTime());
    private final Histogram decodeTime = new Histogram(Bounds.requestTime());
    private final Histogram requestPromptTokens;
    private final Histogram requestGenerationTokens;
    private final Histogram maxGenerationTokens;
    private final Histogram paramsMaxTokens;
    private final Histogram prefillComputedTokens;
    private final Histogram paramsN = new Histogram(Bounds.choices());

    /** @param model the first served name, which is the one vLLM labels with */
    public EngineMetrics(Profile profile, MetricDialect dialect, String model) {
        this.profile = profile;
        this.dialect = dialect;
        this.model = model;
        double[] tokens = Bounds.requestTokens(profile.maxModelLen());
        this.requestPromptTokens = new Histogram(tokens);
        this.requestGenerationTokens = new Histogram(tokens);
        this.maxGenerationTokens = new Histogram(tokens);
        this.paramsMaxTokens = new Histogram(tokens);
        this.prefillComputedTokens = new Histogram(tokens);
    }

    /** As in a new process. */
    public void reset() {
        List.of(
                        promptTokens,
                        cachedPromptTokens,
                        cachedTokens,
                        queriedTokens,
                        preemptions,
                        generationTokens,
                        stopped,
                        ranToLength)
                .forEach(Resettable::reset);
        List.of(
                        iterationTokens,
                        timeToFirstToken,
                        interTokenLatency,
                        timePerOutputToken,
                        endToEnd,
                        queueTime,
                        inferenceTime,
                        prefillTime,
                        decodeTime,
                        requestPromptTokens,
                        requestGenerationTokens,
                        maxGenerationTokens,
                        paramsMaxTokens,
                        prefillComputedTokens,
                        paramsN)
                .forEach(Resettable::reset);
    }

    @Override
    public void stepEnded(int tokens, int prefillTokens) {
        iterationTokens.observe(tokens);
    }

    @Override
    public void scheduled(Sequence sequence) {
        queriedTokens.add(sequence.promptTokens());
        cachedTokens.add(sequence.cachedTokens());
    }

    @Override
    public void preempted(Sequence sequence) {
        preemptions.add(1);
    }

    @Override
    public void prefilled(Sequence sequence) {
        promptTokens.add(sequence.promptTokens());
        cachedPromptTokens.add(sequence.cachedTokens());
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
        boolean generates = sequence.outputTokens() > 0;
        (generates ? ranToLength : stopped).add(1);
        double decode = seconds(sequence.firstTokenNanos(), sequence.lastTokenNanos());
        endToEnd.observe(seconds(sequence.arrivalNanos(), sequence.lastTokenNanos()));
        queueTime.observe(seconds(sequence.readyNanos(), sequence.scheduledNanos()));
        inferenceTime.observe(seconds(sequence.scheduledNanos(), sequence.lastTokenNanos()));
        prefillTime.observe(seconds(sequence.scheduledNanos(), sequence.firstTokenNanos()));
        decodeTime.observe(decode);
        if (sequence.outputTokens() > 1) {
            timePerOutputToken.observe(decode / (sequence.outputTokens() - 1));
        }
        requestPromptTokens.observe(sequence.promptTokens());
        prefillComputedTokens.observe(sequence.promptTokens() - sequence.cachedTokens());
        requestGenerationTokens.observe(sequence.outputTokens());
        maxGenerationTokens.observe(sequence.outputTokens());
        if (generates) {
            paramsMaxTokens.observe(sequence.outputTokens());
        }
        paramsN.observe(1);
    }

    /** The page of an engine: interpreter and process first, then the engine's families, then HTTP. */
    public MetricPage page(Gauges gauges, ProcessMetrics process, HttpMetrics http) {
        return page(dialect, gauges, process, http);
    }

    /** The same numbers under another generation of names. */
    public MetricPage page(MetricDialect dialect, Gauges gauges, ProcessMetrics process, HttpMetrics http) {
        return page(dialect, List.of(new Rank(this, gauges)), process, http, new LoraInfo(InstantSource.system()));
    }

    /** One scheduler of an engine. */
    public record Rank(EngineMetrics metrics, Gauges gauges) {}

    /** The page of an engine of several ranks, told apart by {@code engine}. */
    public static MetricPage page(
            MetricDialect dialect, List<Rank> ranks, ProcessMetrics process, HttpMetrics http, LoraInfo loras) {
        List<FamilyList> lists = new ArrayList<>();
        for (int i = 0; i < ranks.size(); i++) {
            lists.add(ranks.get(i).metrics.families(dialect, ranks.get(i).gauges, Integer.toString(i)));
        }
        FamilyList all = new FamilyList(Map.of());
        process.addTo(all);
        all.addAll(FamilyList.merged(lists));
        all.add(loras.family());
        http.addTo(all);
        return new MetricPage(all.families());
    }

    private FamilyList families(MetricDialect dialect, Gauges gauges, String engine) {
        FamilyList list = new FamilyList(Map.of("engine", engine, "model_name", model));
        addGauges(list, dialect, gauges);
        addCounters(list, dialect);
        addTokenHistograms(list);
        addTimeHistograms(list, dialect);
        list.add("vllm:cache_config_info", "gauge", "Information of the LLMEngine CacheConfig", cacheConfig(engine));
        return list;
    }

    private static void addGauges(FamilyList list, MetricDialect dialect, Gauges gauges) {
        list.gauge("vllm:num_requests_running", "Number of requests in model execution batches.", gauges.running());
        list.gauge("vllm:num_requests_waiting", "Number of requests waiting to be processed.", gauges.waiting());
        if (dialect == MetricDialect.OLD) {
            list.gauge("vllm:gpu_cache_usage_perc", "GPU KV-cache usage. 1 means 100 percent usage.", gauges.kvUsage());
            return;
        }
        list.split(
                "vllm:num_requests_waiting_by_reason",
                "gauge",
                "Number of waiting requests by reason.",
                "reason",
                new Part("capacity", gauges.waiting()),
                new Part("deferred", EngineMetrics::zero));
        list.split(
                "vllm:engine_sleep_state",
                "gauge",
                "Engine sleep state; awake = 0 means engine is sleeping; awake = 1 means engine is awake.",
                "sleep_state",
                new Part("awake", () -> gauges.sleepLevel().getAsInt() == 0 ? 1 : 0),
                new Part("weights_offloaded", () -> gauges.sleepLevel().getAsInt() == 1 ? 1 : 0),
                new Part("discard_all", () -> gauges.sleepLevel().getAsInt() == 2 ? 1 : 0));
        list.gauge("vllm:kv_cache_usage_perc", "KV-cache usage. 1 means 100 percent usage.", gauges.kvUsage());
    }

    private void addCounters(FamilyList list, MetricDialect dialect) {
        String prefixCache = dialect == MetricDialect.OLD ? "vllm:gpu_prefix_cache" : "vllm:prefix_cache";
        addCache(list, prefixCache, "Prefix cache, in tokens", queriedTokens::value, cachedTokens::value);
        addCache(
                list,
                "vllm:external_prefix_cache",
                "External prefix cache of KV connectors, in tokens",
                EngineMetrics::zero,
                EngineMetrics::zero);
        addCache(list, "vllm:mm_cache", "Multi-modal cache, in items", EngineMetrics::zero, EngineMetrics::zero);
        list.counter(
                "vllm:num_preemptions_total", "Cumulative number of preemption from the engine.", preemptions::value);
        list.counter("vllm:prompt_tokens_total", "Number of prefill tokens processed.", promptTokens::value);
        if (dialect == MetricDialect.NEW) {
            list.split(
                    "vllm:prompt_tokens_by_source_total",
                    "counter",
                    "Number of prompt tokens by source.",
                    "source",
                    new Part("local_compute", () -> promptTokens.value() - cachedPromptTokens.value()),
                    new Part("local_cache_hit", cachedPromptTokens::value),
                    new Part("external_kv_transfer", EngineMetrics::zero));
            list.counter(
                    "vllm:prompt_tokens_cached_total",
                    "Number of cached prompt tokens (local + external).",
                    cachedPromptTokens::value);
        }
        list.counter("vllm:generation_tokens_total", "Number of generation tokens processed.", generationTokens::value);
        list.split(
                "vllm:request_success_total",
                "counter",
                "Count of successfully processed requests.",
                "finished_reason",
                new Part("stop", stopped::value),
                new Part("length", ranToLength::value),
                new Part("abort", EngineMetrics::zero),
                new Part("error", EngineMetrics::zero),
                new Part("repetition", EngineMetrics::zero));
    }

    private static void addCache(
            FamilyList list, String name, String what, DoubleSupplier queries, DoubleSupplier hits) {
        list.counter(name + "_queries_total", what + ": queries.", queries);
        list.counter(name + "_hits_total", what + ": hits.", hits);
    }

    private void addTokenHistograms(FamilyList list) {
        list.histogram("vllm:request_prompt_tokens", "Number of prefill tokens processed.", requestPromptTokens);
        list.histogram(
                "vllm:request_generation_tokens", "Number of generation tokens processed.", requestGenerationTokens);
        list.histogram(
                "vllm:iteration_tokens_total", "Histogram of number of tokens per engine_step.", iterationTokens);
        list.histogram(
                "vllm:request_max_num_generation_tokens",
                "Histogram of maximum number of requested generation tokens.",
                maxGenerationTokens);
        list.histogram("vllm:request_params_n", "Histogram of the n request parameter.", paramsN);
        list.histogram(
                "vllm:request_params_max_tokens", "Histogram of the max_tokens request parameter.", paramsMaxTokens);
        list.histogram(
                "vllm:request_prefill_kv_computed_tokens",
                "Histogram of new KV tokens computed during prefill (excluding cached tokens).",
                prefillComputedTokens);
    }

    private void addTimeHistograms(FamilyList list, MetricDialect dialect) {
        list.histogram(
                "vllm:time_to_first_token_seconds", "Histogram of time to first token in seconds.", timeToFirstToken);
        if (dialect == MetricDialect.OLD) {
            list.histogram(
                    "vllm:time_per_output_token_seconds",
                    "Histogram of time per output token in seconds.",
                    interTokenLatency);
        } else {
            list.histogram(
                    "vllm:inter_token_latency_seconds",
                    "Histogram of inter-token latency in seconds.",
                    interTokenLatency);
            list.histogram(
                    "vllm:request_time_per_output_token_seconds",
                    "Histogram of time_per_output_token_seconds per request.",
                    timePerOutputToken);
        }
        list.histogram("vllm:e2e_request_latency_seconds", "Histogram of e2e request latency in seconds.", endToEnd);
        list.histogram(
                "vllm:request_queue_time_seconds", "Histogram of time spent in WAITING phase for request.", queueTime);
        list.histogram(
                "vllm:request_inference_time_seconds",
                "Histogram of time spent in RUNNING phase for request.",
                inferenceTime);
        list.histogram(
                "vllm:request_prefill_time_seconds",
                "Histogram of time spent in PREFILL phase for request.",
                prefillTime);
        list.histogram(
                "vllm:request_decode_time_seconds", "Histogram of time spent in DECODE phase for request.", decodeTime);
    }

    private SampleLine cacheConfig(String engine) {
        Map<String, String> config = Map.ofEntries(
                Map.entry("block_size", Integer.toString(Profile.BLOCK_TOKENS)),
                Map.entry("cache_dtype", "auto"),
                Map.entry("calculate_kv_scales", "False"),
                Map.entry("cpu_kvcache_space_bytes", "None"),
                Map.entry("enable_prefix_caching", "True"),
                Map.entry("engine", engine),
                Map.entry("gpu_memory_utilization", "0.92"),
                Map.entry("is_attention_free", "False"),
                Map.entry("kv_cache_memory_bytes", "None"),
                Map.entry("num_cpu_blocks", "None"),
                Map.entry("num_gpu_blocks", Integer.toString(profile.kvBlocks())),
                Map.entry("num_gpu_blocks_override", "None"),
                Map.entry("prefix_caching_hash_algo", "sha256"),
                Map.entry("sliding_window", "None"));
        return SampleLine.of("vllm:cache_config_info", config, EngineMetrics::one);
    }

    private static double seconds(long fromNanos, long toNanos) {
        return (toNanos - fromNanos) / NANOS_PER_SECOND;
    }

    private static double zero() {
        return 0;
    }

    private static double one() {
        return 1;
    }
}
