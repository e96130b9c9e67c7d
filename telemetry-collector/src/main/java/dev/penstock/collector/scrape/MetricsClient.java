package dev.penstock.collector.scrape;

import dev.penstock.collector.http.BoundedGet;
import dev.penstock.collector.http.Fetched;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Gets and reads a replica's page: the filtered one, or the full one where the filter gives nothing, as in vLLM's
 * multi-process mode. Which one is remembered per target and tried again each minute. Used on one context.
 */
public final class MetricsClient {
    private static final int MAX_BYTES = 4 << 20;
    private static final long FILTER_AGAIN_NANOS = Duration.ofSeconds(60).toNanos();
    private static final int NOT_FOUND = 404;
    private static final int OK = 200;

    private final BoundedGet http;
    private final LongSupplier nanoClock;

    public MetricsClient(BoundedGet http, LongSupplier nanoClock) {
        this.http = http;
        this.nanoClock = nanoClock;
    }

    Future<PageResult> scrape(ScrapeTarget target, EngineDialect dialect, Duration limit) {
        if (target.fullOnly && nanoClock.getAsLong() - target.filterAgainNanos < 0) {
            return full(target, dialect, limit);
        }
        return get(target, dialect.filteredPath(), limit).compose(fetched -> switch (fetched) {
            case Fetched.Answer answer
            when answer.status() == OK || answer.status() == NOT_FOUND -> {
                Reading reading = answer.status() == OK ? dialect.read(answer.body()) : null;
                target.fullOnly = reading == null;
                if (reading != null) yield read(reading, dialect.dear(), dialect);
                target.filterAgainNanos = nanoClock.getAsLong() + FILTER_AGAIN_NANOS;
                yield full(target, dialect, limit);
            }
            case Fetched.Answer answer -> failed("status " + answer.status());
            case Fetched.Broken broken -> failed(broken.reason());
        });
    }

    private Future<PageResult> full(ScrapeTarget target, EngineDialect dialect, Duration limit) {
        return get(target, dialect.fullPath(), limit).compose(fetched -> switch (fetched) {
            case Fetched.Answer answer
            when answer.status() == OK -> {
                Reading reading = dialect.read(answer.body());
                yield reading == null ? failed("no known family on the page") : read(reading, true, dialect);
            }
            case Fetched.Answer answer -> failed("status " + answer.status());
            case Fetched.Broken broken -> failed(broken.reason());
        });
    }

    private Future<Fetched> get(ScrapeTarget target, String path, Duration limit) {
        return http.get(target.replica.metricsBase(), path, limit, MAX_BYTES);
    }

    private static Future<PageResult> read(Reading reading, boolean fullPage, EngineDialect dialect) {
        return Future.succeededFuture(new PageResult.Read(reading, fullPage, dialect.garbageLines()));
    }

    private static Future<PageResult> failed(String reason) {
        return Future.succeededFuture(new PageResult.Failed(reason));
    }
}
