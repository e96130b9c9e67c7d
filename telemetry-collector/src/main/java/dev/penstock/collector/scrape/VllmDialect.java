package dev.penstock.collector.scrape;

import dev.penstock.core.capacity.Work;
import dev.penstock.model.Sample;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * vLLM's page, today's names first, then older ones; {@code vllm_} is how Ray Serve writes {@code vllm:}.
 *
 * <p>The filter knows sample names, so the steps are asked for as {@code iteration_tokens_total_count}: despite its name
 * {@code iteration_tokens_total} is a histogram. A replica of several ranks has a series for each {@code engine}. Only the path with the slash filters; the exact path ignores it.
 */
public final class VllmDialect implements EngineDialect {
    /** Of one page; an engine's own limit, max_loras, is a few, and those that wait are bounded by nothing. */
    private static final int MOST_ADAPTERS = 256;

    private final PageFamilies families = new PageFamilies("vllm");
    private final int[] running = families.either(Family.sum("num_requests_running"));
    private final int[] waiting = families.either(Family.sum("num_requests_waiting"));
    private final int[] kvUsage = families.either(Family.max("kv_cache_usage_perc"));
    private final int[] kvUsageBefore2025 = families.either(Family.max("gpu_cache_usage_perc"));
    private final int[] steps = families.either(Family.sum("iteration_tokens_total_count"));
    private final int[] generated = families.either(Family.sum("generation_tokens_total"));
    private final int[] prompted = families.either(Family.sum("prompt_tokens_total"));
    private final int[] awake = families.either(Family.sum("engine_sleep_state").where("sleep_state", "awake"));
    private final int[] computed =
            families.either(Family.sum("prompt_tokens_by_source_total").where("source", "local_compute"));
    private final int[] cached = families.either(Family.sum("prompt_tokens_cached_total"));
    private final int[] hits = families.either(Family.sum("prefix_cache_hits_total"));
    private final int[] hitsBefore2025 = families.either(Family.sum("gpu_prefix_cache_hits_total"));
    private final int[] ended = families.either(Family.sum("request_success_total"));
    private final int[] loras = families.either(Family.latest("lora_requests_info"));
    private final PrometheusText text = families.scanner();
    private final String filteredPath = filter(families.all());

    @Override
    public String filteredPath() {
        return filteredPath;
    }

    @Override
    public String fullPath() {
        return "/metrics";
    }

    @Override
    public @Nullable Reading read(byte[] page) {
        text.scan(page, page.length, true);
        if (!seen(running) && !seen(waiting)) return null;
        double kv = seen(kvUsage) ? value(kvUsage) : value(kvUsageBefore2025);
        return new Reading(
                PageFamilies.count(value(running)),
                PageFamilies.count(value(waiting)),
                PageFamilies.ppm(kv),
                heartbeat(),
                seen(awake) && value(awake) == 0,
                false,
                new Work(counter(generated), computedPrompt(), counter(ended), Double.NaN),
                seen(loras) ? adapters() : null);
    }

    @Override
    public boolean dear() {
        return false;
    }

    @Override
    public int garbageLines() {
        return text.garbageLines();
    }

    /** Steps; before they were counted, tokens, which move with each step as well. */
    private long heartbeat() {
        if (seen(steps)) return PageFamilies.whole(value(steps));
        if (!seen(generated) && !seen(prompted)) return Sample.UNKNOWN;
        double tokens = (seen(generated) ? value(generated) : 0) + (seen(prompted) ? value(prompted) : 0);
        return PageFamilies.whole(tokens);
    }

    /** Prompt tokens by where they came from; before 2026 all of them less those that the prefix cache had. */
    private long computedPrompt() {
        if (seen(computed)) return counter(computed);
        if (!seen(prompted)) return Sample.UNKNOWN;
        for (int[] found : new int[][] {cached, hits, hitsBefore2025}) {
            if (seen(found)) return PageFamilies.whole(Math.max(0, value(prompted) - value(found)));
        }
        return counter(prompted);
    }

    private AdaptersInUse adapters() {
        Set<String> names = new LinkedHashSet<>();
        for (String label : new String[] {"running_lora_adapters", "waiting_lora_adapters"}) {
            for (String name : PageFamilies.label(text, loras, label).split(",")) {
                if (!name.isBlank() && names.size() < MOST_ADAPTERS) names.add(name.strip());
            }
        }
        return new AdaptersInUse(value(loras), List.copyOf(names));
    }

    private long counter(int[] indices) {
        return seen(indices) ? PageFamilies.whole(value(indices)) : Sample.UNKNOWN;
    }

    private boolean seen(int[] indices) {
        return PageFamilies.seen(text, indices);
    }

    private double value(int[] indices) {
        return PageFamilies.value(text, indices);
    }

    private static String filter(List<Family> families) {
        StringBuilder path = new StringBuilder("/metrics/");
        for (Family family : families) {
            path.append(path.indexOf("?") < 0 ? '?' : '&')
                    .append("name%5B%5D=")
                    .append(new String(family.name(), StandardCharsets.UTF_8).replace(":", "%3A"));
        }
        return path.toString();
    }
}
