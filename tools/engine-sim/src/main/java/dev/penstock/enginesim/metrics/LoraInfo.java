package dev.penstock.enginesim.metrics;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code vllm:lora_requests_info}: a series for each combination of adapters that requests ever used together, whose value
 * is the time it was last true. As in vLLM old series never vanish, and there is neither a model nor an engine label; a
 * simulated engine keeps the first {@value #MOST_SERIES}. Written and read on the engine's event loop.
 */
public final class LoraInfo {
    private static final int MOST_SERIES = 1_000;
    private static final String NAME = "vllm:lora_requests_info";
    private static final String MAX_LORA = "4";

    private final InstantSource wallClock;
    private final Map<Map<String, String>, Series> labelsToSeries = new LinkedHashMap<>();

    private static final class Series {
        final SampleLine line;
        double seconds;

        Series(Map<String, String> labels) {
            line = SampleLine.of(NAME, labels, () -> seconds);
        }
    }

    public LoraInfo(InstantSource wallClock) {
        this.wallClock = wallClock;
    }

    /** This is true now. */
    public void note(Collection<String> running, Collection<String> waiting) {
        Map<String, String> labels = Map.of(
                "max_lora",
                MAX_LORA,
                "running_lora_adapters",
                String.join(",", running),
                "waiting_lora_adapters",
                String.join(",", waiting));
        Series series = labelsToSeries.get(labels);
        if (series == null && labelsToSeries.size() < MOST_SERIES) {
            series = new Series(labels);
            labelsToSeries.put(labels, series);
        }
        if (series != null) {
            series.seconds = wallClock.millis() / 1e3;
        }
    }

    /** As in a new process. */
    public void reset() {
        labelsToSeries.clear();
    }

    Family family() {
        return Family.growing(NAME, "gauge", "Running stats on lora requests.", this::lines);
    }

    private List<SampleLine> lines() {
        List<SampleLine> lines = new ArrayList<>();
        labelsToSeries.values().forEach(series -> lines.add(series.line));
        return lines;
    }
}
