package dev.penstock.enginesim.metrics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * SGLang's HTTP middleware. Paths and statuses are fixed in advance, so that a client can't grow the page. Written and
 * read on the engine's event loop.
 */
public final class SglangHttpMetrics implements HttpObserver {
    private static final List<String> STATUSES = List.of("200", "400", "404", "500", "503");

    private static final class PathCounts {
        final Counter requests = new Counter();
        final Map<String, Counter> statusToResponses = new LinkedHashMap<>();

        PathCounts() {
            STATUSES.forEach(status -> statusToResponses.put(status, new Counter()));
        }
    }

    private final Map<String, PathCounts> pathToCounts = new LinkedHashMap<>();
    private int active;

    /** @param postPaths the generation paths, which are what is worth counting */
    public SglangHttpMetrics(List<String> postPaths) {
        postPaths.forEach(path -> pathToCounts.put(path, new PathCounts()));
    }

    @Override
    public void opened(String path) {
        PathCounts counts = pathToCounts.get(path);
        active++;
        if (counts != null) {
            counts.requests.add(1);
        }
    }

    @Override
    public void answered(String path, int status, long nanos, long requestBytes, long responseBytes) {
        PathCounts counts = pathToCounts.get(path);
        active--;
        if (counts != null) {
            Counter responses = counts.statusToResponses.get(Integer.toString(status));
            if (responses != null) {
                responses.add(1);
            }
        }
    }

    /** What is open stays open. */
    @Override
    public void reset() {
        for (PathCounts counts : pathToCounts.values()) {
            counts.requests.reset();
            counts.statusToResponses.values().forEach(Counter::reset);
        }
    }

    void addTo(FamilyList list) {
        List<SampleLine> requests = new ArrayList<>();
        List<SampleLine> responses = new ArrayList<>();
        pathToCounts.forEach((path, counts) -> {
            Map<String, String> labels = Map.of("endpoint", path, "method", "POST");
            requests.add(SampleLine.of("sglang:http_requests_total", labels, counts.requests::value));
            counts.statusToResponses.forEach((status, counter) -> responses.add(SampleLine.of(
                    "sglang:http_responses_total", Labels.with(labels, "status_code", status), counter::value)));
        });
        list.add("sglang:http_requests_total", "counter", "Total number of HTTP requests by endpoint.", requests);
        list.add("sglang:http_responses_total", "counter", "Total number of HTTP responses by status.", responses);
        list.add(
                "sglang:http_requests_active",
                "gauge",
                "Number of currently active HTTP requests.",
                SampleLine.of("sglang:http_requests_active", Map.of(), () -> active));
    }
}
