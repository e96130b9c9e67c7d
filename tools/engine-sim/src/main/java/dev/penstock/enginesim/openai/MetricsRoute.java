package dev.penstock.enginesim.openai;

import dev.penstock.enginesim.fault.Fault;
import dev.penstock.enginesim.metrics.MetricPage;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code /metrics} and {@code /metrics/}. In vLLM they are two handlers: the exact path ignores {@code name[]} and shows
 * everything, the one with the slash filters. In multi-process mode, which SGLang always has, a filter finds nothing.
 * Faults change which page is shown. On the event loop only.
 */
public final class MetricsRoute {
    private static final String FULL_PAGE_TYPE = "text/plain; version=1.0.0; charset=utf-8";
    private static final String MOUNTED_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    /** How an engine serves its page. */
    public enum Mode {
        /** vLLM: a full page, and a filter on the path with the slash. */
        FILTERED(true),
        /** vLLM with several API servers: with {@code name[]} 200 and an empty body. */
        MULTI_PROCESS(true),
        /** SGLang: the same, on one handler. */
        MOUNTED(false);

        private final boolean exactPathShowsAll;

        Mode(boolean exactPathShowsAll) {
            this.exactPathShowsAll = exactPathShowsAll;
        }
    }

    private final MetricPage live;
    private final Supplier<MetricPage> old;
    private final Mode mode;
    private MetricPage shown;
    private @Nullable Fault cause;

    /** @param old makes the page of the same numbers under the names before the renames */
    public MetricsRoute(MetricPage live, Supplier<MetricPage> old, Mode mode) {
        this.live = live;
        this.old = old;
        this.mode = mode;
        this.shown = live;
    }

    /** From now on the page is the one that this fault makes of it. */
    public void show(Fault fault) {
        if (fault.equals(cause)) {
            return;
        }
        cause = fault;
        shown = switch (fault) {
            case Fault.FreezeMetrics _ -> live.frozen();
            case Fault.FreezeGauges _ -> live.gaugesFrozen();
            case Fault.NanMetrics _ -> live.nan();
            case Fault.PidMetrics _ -> live.perProcess();
            case Fault.OldMetrics _ -> old.get();
            default -> live;
        };
    }

    public static boolean serves(String path) {
        return path.equals("/metrics") || path.startsWith("/metrics/");
    }

    public void handle(HttpServerRequest request) {
        boolean exact = mode.exactPathShowsAll && request.path().equals("/metrics");
        List<String> names = exact ? List.of() : request.params().getAll("name[]");
        String text = names.isEmpty() ? shown.all() : mode == Mode.FILTERED ? shown.named(Set.copyOf(names)) : "";
        request.response()
                .putHeader("content-type", exact ? FULL_PAGE_TYPE : MOUNTED_TYPE)
                .end(text);
    }
}
