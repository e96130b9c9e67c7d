package dev.penstock.enginesim.vllm;

import dev.penstock.enginesim.metrics.MetricPage;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code /metrics} and {@code /metrics/}, which are two handlers in vLLM: the exact path ignores {@code name[]} and
 * shows everything, the one with the slash filters. On the event loop only.
 */
public final class MetricsRoute {
    private static final String FULL_PAGE_TYPE = "text/plain; version=1.0.0; charset=utf-8";
    private static final String MOUNTED_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final MetricPage live;
    private final boolean nameFilter;
    private @Nullable MetricPage frozen;

    /** @param nameFilter false: {@code name[]} gets 200 and an empty body, as in vLLM's multi-process mode */
    public MetricsRoute(MetricPage live, boolean nameFilter) {
        this.live = live;
        this.nameFilter = nameFilter;
    }

    /** From now on the page shows the present numbers, until {@link #thaw}. */
    public void freeze() {
        frozen = live.frozen();
    }

    public void thaw() {
        frozen = null;
    }

    static boolean serves(String path) {
        return path.equals("/metrics") || path.startsWith("/metrics/");
    }

    void handle(HttpServerRequest request) {
        MetricPage page = frozen != null ? frozen : live;
        boolean exact = request.path().equals("/metrics");
        List<String> names = exact ? List.of() : request.params().getAll("name[]");
        String text = names.isEmpty() ? page.all() : nameFilter ? page.named(Set.copyOf(names)) : "";
        request.response()
                .putHeader("content-type", exact ? FULL_PAGE_TYPE : MOUNTED_TYPE)
                .end(text);
    }
}
