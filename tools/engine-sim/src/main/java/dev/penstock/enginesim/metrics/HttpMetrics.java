package dev.penstock.enginesim.metrics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The {@code http_*} families of the instrumentator. Its paths and statuses are fixed in advance here, so that a client
 * can't grow the page. Written and read on the engine's event loop.
 */
public final class HttpMetrics implements HttpObserver {
    private static final List<String> STATUS_CLASSES = List.of("2xx", "4xx", "5xx");
    private static final double NANOS_PER_SECOND = 1e9;

    private record Route(String path, String method) {}

    private static final class RouteCounts {
        final Map<String, Counter> statusToRequests = new LinkedHashMap<>();
        final Histogram seconds = new Histogram(Bounds.httpLowResolution());
        final Counter requestBytes = new Counter();
        final Counter responseBytes = new Counter();
        final Counter requests = new Counter();

        RouteCounts() {
            STATUS_CLASSES.forEach(status -> statusToRequests.put(status, new Counter()));
        }
    }

    private final Map<Route, RouteCounts> routes = new LinkedHashMap<>();
    private final Histogram allSeconds = new Histogram(Bounds.httpHighResolution());

    /** @param postPaths the generation paths, which are what is worth counting */
    public HttpMetrics(List<String> postPaths) {
        postPaths.forEach(path -> routes.put(new Route(path, "POST"), new RouteCounts()));
    }

    /** Other paths than those given at the start are not counted. */
    @Override
    public void answered(String path, int status, long nanos, long requestBytes, long responseBytes) {
        RouteCounts counts = routes.get(new Route(path, "POST"));
        if (counts == null) {
            return;
        }
        Counter byStatus = counts.statusToRequests.get(status / 100 + "xx");
        if (byStatus != null) {
            byStatus.add(1);
        }
        counts.requests.add(1);
        counts.seconds.observe(nanos / NANOS_PER_SECOND);
        counts.requestBytes.add((double) requestBytes);
        counts.responseBytes.add((double) responseBytes);
        allSeconds.observe(nanos / NANOS_PER_SECOND);
    }

    @Override
    public void reset() {
        allSeconds.reset();
        for (RouteCounts counts : routes.values()) {
            counts.statusToRequests.values().forEach(Counter::reset);
            List.of(counts.seconds, counts.requestBytes, counts.responseBytes, counts.requests)
                    .forEach(Resettable::reset);
        }
    }

    void addTo(FamilyList list) {
        List<SampleLine> requests = new ArrayList<>();
        List<SampleLine> requestSizes = new ArrayList<>();
        List<SampleLine> responseSizes = new ArrayList<>();
        List<SampleLine> seconds = new ArrayList<>();
        routes.forEach((route, counts) -> {
            Map<String, String> handler = Map.of("handler", route.path());
            Map<String, String> labels = Labels.with(handler, "method", route.method());
            counts.statusToRequests.forEach((status, counter) -> requests.add(
                    SampleLine.of("http_requests_total", Labels.with(labels, "status", status), counter::value)));
            addSummary(requestSizes, "http_request_size_bytes", handler, counts.requests, counts.requestBytes);
            addSummary(responseSizes, "http_response_size_bytes", handler, counts.requests, counts.responseBytes);
            seconds.addAll(counts.seconds.lines("http_request_duration_seconds", labels));
        });
        list.add("http_requests_total", "counter", "Total number of requests by method, status and handler.", requests);
        list.add("http_request_size_bytes", "summary", "Content length of incoming requests by handler.", requestSizes);
        list.add(
                "http_response_size_bytes",
                "summary",
                "Content length of outgoing responses by handler.",
                responseSizes);
        list.histogram(
                "http_request_duration_highr_seconds",
                "Latency with many buckets but no API specific labels.",
                allSeconds);
        list.add("http_request_duration_seconds", "histogram", "Latency with only few buckets by handler.", seconds);
    }

    private static void addSummary(
            List<SampleLine> lines, String name, Map<String, String> labels, Counter count, Counter sum) {
        lines.add(SampleLine.of(name + "_count", labels, count::value));
        lines.add(SampleLine.of(name + "_sum", labels, sum::value));
    }
}
