package dev.penstock.collector.scrape;

import dev.penstock.model.Sample;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * vLLM's page, today's names first, then older ones; {@code vllm_} is how Ray Serve writes {@code vllm:}.
 *
 * <p>The filter knows sample names, so the steps are asked for as {@code iteration_tokens_total_count}: despite its name
 * {@code iteration_tokens_total} is a histogram. Only the path with the slash filters; the exact path ignores it.
 */
public final class VllmDialect implements EngineDialect {
    private static final String[] PREFIXES = {"vllm:", "vllm_"};
    private static final double PPM = 1_000_000;

    private final List<Family> families = new ArrayList<>();
    private final int[] running = either(Family.sum("num_requests_running"));
    private final int[] waiting = either(Family.sum("num_requests_waiting"));
    private final int[] kvUsage = either(Family.max("kv_cache_usage_perc"));
    private final int[] kvUsageBefore2025 = either(Family.max("gpu_cache_usage_perc"));
    private final int[] steps = either(Family.sum("iteration_tokens_total_count"));
    private final int[] generated = either(Family.sum("generation_tokens_total"));
    private final int[] prompted = either(Family.sum("prompt_tokens_total"));
    private final int[] awake = either(Family.sum("engine_sleep_state").where("sleep_state", "awake"));
    private final PrometheusText text = new PrometheusText(families);
    private final String filteredPath = filter(families);

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
                count(value(running)),
                count(value(waiting)),
                Double.isNaN(kv) || kv < 0 ? Sample.UNKNOWN : (int) Math.round(Math.min(kv, 1) * PPM),
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
        if (seen(steps)) return whole(value(steps));
        if (!seen(generated) && !seen(prompted)) return Sample.UNKNOWN;
        double tokens = (seen(generated) ? value(generated) : 0) + (seen(prompted) ? value(prompted) : 0);
        return whole(tokens);
    }

    private int[] either(Family family) {
        int[] indices = new int[PREFIXES.length];
        for (int i = 0; i < indices.length; i++) {
            String name = PREFIXES[i] + new String(family.name(), StandardCharsets.UTF_8);
            indices[i] = families.size();
            families.add(
                    new Family(name.getBytes(StandardCharsets.UTF_8), family.label(), family.value(), family.fold()));
        }
        return indices;
    }

    private boolean seen(int[] indices) {
        return text.seen(indices[0]) || text.seen(indices[1]);
    }

    private double value(int[] indices) {
        return text.value(text.seen(indices[0]) ? indices[0] : indices[1]);
    }

    private static int count(double value) {
        return Double.isNaN(value) || value < 0 ? Sample.UNKNOWN : (int) Math.round(Math.min(value, 1e9));
    }

    private static long whole(double value) {
        return Double.isNaN(value) || value < 0 ? Sample.UNKNOWN : Math.round(value);
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
