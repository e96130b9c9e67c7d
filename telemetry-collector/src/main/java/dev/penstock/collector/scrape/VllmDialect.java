package dev.penstock.collector.scrape;

import dev.penstock.model.Sample;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * vLLM's page, today's names first, then older ones; {@code vllm_} is how Ray Serve writes {@code vllm:}.
 *
 * <p>The filter knows sample names, so the steps are asked for as {@code iteration_tokens_total_count}: despite its name
 * {@code iteration_tokens_total} is a histogram. Only the path with the slash filters; the exact path ignores it.
 */
public final class VllmDialect implements EngineDialect {
    private final PageFamilies families = new PageFamilies("vllm");
    private final int[] running = families.either(Family.sum("num_requests_running"));
    private final int[] waiting = families.either(Family.sum("num_requests_waiting"));
    private final int[] kvUsage = families.either(Family.max("kv_cache_usage_perc"));
    private final int[] kvUsageBefore2025 = families.either(Family.max("gpu_cache_usage_perc"));
    private final int[] steps = families.either(Family.sum("iteration_tokens_total_count"));
    private final int[] generated = families.either(Family.sum("generation_tokens_total"));
    private final int[] prompted = families.either(Family.sum("prompt_tokens_total"));
    private final int[] awake = families.either(Family.sum("engine_sleep_state").where("sleep_state", "awake"));
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
                false);
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
