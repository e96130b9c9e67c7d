package dev.penstock.testkit.infra;

import java.nio.file.Path;
import java.util.Properties;

/** The settings of the embedded broker: one KRaft node, small in memory and threads, nothing that waits for a disk. */
final class BrokerProperties {
    static final int NODE_ID = 1;
    static final String CONTROLLER_LISTENER = "CONTROLLER";

    private BrokerProperties() {}

    static Properties of(Path dataDir, int port, int controllerPort, String advertised) {
        Properties properties = new Properties();
        identity(properties, dataDir, port, controllerPort, advertised);
        oneReplica(properties);
        small(properties);
        housekeeping(properties);
        return properties;
    }

    private static void identity(Properties p, Path dataDir, int port, int controllerPort, String advertised) {
        p.put("process.roles", "broker,controller");
        p.put("node.id", Integer.toString(NODE_ID));
        p.put("controller.quorum.voters", NODE_ID + "@127.0.0.1:" + controllerPort);
        p.put("listeners", "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort);
        p.put("advertised.listeners", "PLAINTEXT://" + advertised);
        p.put("controller.listener.names", CONTROLLER_LISTENER);
        p.put("inter.broker.listener.name", "PLAINTEXT");
        p.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
        p.put("log.dirs", dataDir.toString());
        p.put("auto.create.topics.enable", "false");
    }

    private static void oneReplica(Properties p) {
        p.put("offsets.topic.replication.factor", "1");
        p.put("offsets.topic.num.partitions", "1");
        p.put("transaction.state.log.replication.factor", "1");
        p.put("transaction.state.log.min.isr", "1");
        p.put("transaction.state.log.num.partitions", "1");
        p.put("share.coordinator.state.topic.replication.factor", "1");
        p.put("share.coordinator.state.topic.min.isr", "1");
        p.put("share.coordinator.state.topic.num.partitions", "1");
        p.put("group.initial.rebalance.delay.ms", "0");
    }

    private static void small(Properties p) {
        p.put("num.network.threads", "1");
        p.put("num.io.threads", "2");
        p.put("background.threads", "1");
        p.put("num.recovery.threads.per.data.dir", "1");
        p.put("group.coordinator.threads", "1");
        // The default dedupe buffer is 128 MB of heap.
        p.put("log.cleaner.dedupe.buffer.size", "2097152");
        p.put("log.cleaner.io.buffer.size", "131072");
    }

    private static void housekeeping(Properties p) {
        // Retention of a minute means something only when it is looked at more often than the default 5 min.
        p.put("log.retention.check.interval.ms", "30000");
        p.put("log.cleaner.backoff.ms", "2000");
        // Kafka leaves fsync of data to the kernel by default; these keep the periodic checkpoints rare as well, and
        // the
        // idle controller from writing (and syncing) a no-op record twice a second.
        p.put("log.flush.offset.checkpoint.interval.ms", "60000");
        p.put("log.flush.start.offset.checkpoint.interval.ms", "60000");
        p.put("metadata.max.idle.interval.ms", "5000");
    }
}
