package dev.penstock.kit.run;

import dev.penstock.kit.listen.Listening;
import dev.penstock.kit.log.LogKeys;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.micrometer.MetricsDomain;
import io.vertx.micrometer.MicrometerMetricsFactory;
import io.vertx.micrometer.MicrometerMetricsOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Vert.x of a service: epoll where it is to be had, and none of the metrics that cost on every request and label by
 * address.
 */
public final class ServiceVertx {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceVertx.class);

    private ServiceVertx() {}

    /** Zero event loops means one per core. */
    public static Vertx create(int eventLoops, PrometheusMeterRegistry meters) {
        int loops = eventLoops > 0 ? eventLoops : Runtime.getRuntime().availableProcessors();
        MicrometerMetricsOptions metrics = new MicrometerMetricsOptions()
                .setEnabled(true)
                .addDisabledMetricsCategory(MetricsDomain.HTTP_CLIENT)
                .addDisabledMetricsCategory(MetricsDomain.HTTP_SERVER)
                .addDisabledMetricsCategory(MetricsDomain.EVENT_BUS);
        Listening transport = Listening.best();
        LOG.atInfo()
                .addKeyValue(LogKeys.REASON, transport.reason())
                .addKeyValue(LogKeys.COUNT, loops)
                .log("{} event loops", transport.name());
        return Vertx.builder()
                .with(new VertxOptions().setEventLoopPoolSize(loops).setMetricsOptions(metrics))
                .withTransport(transport)
                .withMetrics(new MicrometerMetricsFactory(meters))
                .build();
    }
}
