package dev.penstock.kit.bus;

import dev.penstock.kit.config.KafkaConfig;
import dev.penstock.kit.log.LogKeys;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the cluster each second whether it is there (one small request), and creates the topics each time it came back:
 * it may have come back empty. Written by its own thread, read by any.
 */
final class BrokerMonitor {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerMonitor.class);
    private static final long PERIOD_MILLIS = 1_000;
    private static final long PERIOD_LOST_MILLIS = 250;
    private static final long PATIENCE_MILLIS = 1_200;

    private final KafkaConfig kafka;
    private final Map<String, Object> settings;
    private final TopicCreator topics;
    private final Worker worker = new Worker("penstock-kafka-monitor", this::run);
    private volatile boolean connected;
    private boolean topicsReady;
    private boolean saidLost;

    BrokerMonitor(KafkaConfig kafka, Incarnation self) {
        this.kafka = kafka;
        this.settings = ClientSettings.admin(kafka, self);
        this.topics = new TopicCreator(kafka);
    }

    Worker worker() {
        return worker;
    }

    boolean connected() {
        return connected;
    }

    private void run() {
        Backoff backoff = new Backoff();
        Admin admin = null;
        while (!worker.closing()) {
            long pause;
            if (admin == null) admin = create();
            if (admin == null) {
                pause = backoff.nextMillis();
            } else {
                check(admin);
                pause = connected && topicsReady ? PERIOD_MILLIS : PERIOD_LOST_MILLIS;
            }
            worker.pause(pause);
        }
        connected = false;
        if (admin != null) admin.close(Duration.ofMillis(200));
    }

    private @Nullable Admin create() {
        try {
            return Admin.create(settings);
        } catch (KafkaException unresolvable) {
            lost(unresolvable.getCause() == null ? unresolvable : unresolvable.getCause());
            return null;
        }
    }

    private void check(Admin admin) {
        try {
            int brokers = admin.describeCluster()
                    .nodes()
                    .get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
                    .size();
            if (!connected) topicsReady = false;
            found();
            if (!topicsReady) topicsReady = topics.create(admin, brokers);
        } catch (ExecutionException e) {
            lost(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            lost(e);
        } catch (InterruptedException e) {
            worker.askToClose();
        }
    }

    private void found() {
        if (connected) return;
        connected = true;
        saidLost = false;
        LOG.atInfo()
                .addKeyValue(LogKeys.OLD, "lost")
                .addKeyValue(LogKeys.NEW, "connected")
                .addKeyValue(LogKeys.URL, kafka.bootstrapServers())
                .log("Kafka answers");
    }

    private void lost(Throwable failure) {
        boolean before = connected;
        connected = false;
        if (saidLost) return;
        saidLost = true;
        LOG.atInfo()
                .addKeyValue(LogKeys.OLD, before ? "connected" : "unknown")
                .addKeyValue(LogKeys.NEW, "lost")
                .addKeyValue(LogKeys.URL, kafka.bootstrapServers())
                .addKeyValue(LogKeys.REASON, failure.toString())
                .log("Kafka does not answer");
    }
}
