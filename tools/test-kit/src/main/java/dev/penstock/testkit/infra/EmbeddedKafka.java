package dev.penstock.testkit.infra;

import dev.penstock.testkit.FreePorts;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntSupplier;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Exit;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real Kafka broker (KRaft, broker and controller in one) inside this JVM, on loopback. It can be stopped and started
 * again on the same directory and port, and keeps its data; with controlled shutdown, its default, a restart takes some
 * 0.3 s. It logs through SLF4J under {@code org.apache.kafka} and {@code kafka}, and much of it.
 *
 * <p>Where a proxy stands in front, clients must come back to the proxy: its address is the advertised one, and
 * {@link #bootstrapServers()} names it. Any thread may call.
 */
public final class EmbeddedKafka implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedKafka.class);
    private static final int BIND_ATTEMPTS = 5;

    static {
        // A broker that cannot go on ends its process; this one lives in somebody else's.
        Exit.setExitProcedure(EmbeddedKafka::logExit);
        Exit.setHaltProcedure(EmbeddedKafka::logExit);
    }

    private final Path dataDir;
    private final boolean anyPort;
    private final IntSupplier controllerPorts;
    private final @Nullable String advertised;
    private int port;
    private int controllerPort;
    private boolean everRan;
    private @Nullable KafkaRaftServer server;

    private EmbeddedKafka(Path dataDir, int portOrZero, @Nullable String advertised, IntSupplier controllerPorts) {
        this.dataDir = dataDir;
        this.anyPort = portOrZero == 0;
        this.port = anyPort ? FreePorts.one() : portOrZero;
        this.advertised = advertised;
        this.controllerPorts = controllerPorts;
        this.controllerPort = controllerPorts.getAsInt();
    }

    /** Starts a broker on the directory, formatted if it is not yet; port 0 takes a free one and keeps it. */
    public static EmbeddedKafka start(Path dataDir, int portOrZero) {
        return start(dataDir, portOrZero, null, FreePorts::one);
    }

    /** The same behind a proxy: clients are told to connect to the advertised address. */
    public static EmbeddedKafka start(Path dataDir, int portOrZero, String advertisedHost, int advertisedPort) {
        return start(dataDir, portOrZero, advertisedHost + ":" + advertisedPort, FreePorts::one);
    }

    static EmbeddedKafka start(Path dataDir, int portOrZero, @Nullable String advertised, IntSupplier controllerPorts) {
        EmbeddedKafka kafka = new EmbeddedKafka(dataDir, portOrZero, advertised, controllerPorts);
        kafka.start();
        return kafka;
    }

    /** What clients connect to: the advertised address. */
    public synchronized String bootstrapServers() {
        return advertised == null ? "127.0.0.1:" + port : advertised;
    }

    /** The port the broker itself listens on. */
    public synchronized int port() {
        return port;
    }

    public synchronized boolean isRunning() {
        return server != null;
    }

    /** Starts it again after {@link #stop()}; does nothing when it runs. */
    public synchronized void start() {
        for (int attempt = 1; server == null; attempt++) {
            try {
                server = launch();
                everRan = true;
            } catch (Exception failure) {
                if (!isBindFailure(failure) || attempt == BIND_ATTEMPTS) {
                    throw new IllegalStateException(
                            "Kafka did not start on 127.0.0.1:" + port + " in " + dataDir, failure);
                }
                LOG.info("port {} or {} was taken, trying others", port, controllerPort);
                controllerPort = controllerPorts.getAsInt();
                if (anyPort && !everRan) port = FreePorts.one();
            }
        }
    }

    /** A controlled shutdown; back when the broker is down. Does nothing when it is. */
    public synchronized void stop() {
        if (server == null) return;
        shutDown(server);
        server = null;
    }

    @Override
    public void close() {
        stop();
    }

    private KafkaRaftServer launch() throws Exception {
        // Kafka meets a taken port half-way through its start, with a page of stack traces.
        requireFree(port);
        requireFree(controllerPort);
        if (!Files.exists(dataDir.resolve("meta.properties"))) format();
        KafkaConfig config =
                KafkaConfig.fromProps(BrokerProperties.of(dataDir, port, controllerPort, bootstrapServers()), false);
        KafkaRaftServer candidate = new KafkaRaftServer(config, Time.SYSTEM);
        try {
            candidate.startup();
            return candidate;
        } catch (Throwable failure) {
            shutDown(candidate);
            throw failure;
        }
    }

    private void format() throws Exception {
        Files.createDirectories(dataDir);
        try (PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
            new Formatter()
                    .setPrintStream(nowhere)
                    .setNodeId(BrokerProperties.NODE_ID)
                    .setClusterId(Uuid.randomUuid().toString())
                    .addDirectory(dataDir.toString())
                    .setMetadataLogDirectory(dataDir.toString())
                    .setControllerListenerName(BrokerProperties.CONTROLLER_LISTENER)
                    .setReleaseVersion(MetadataVersion.latestProduction())
                    .run();
        }
    }

    private static void shutDown(KafkaRaftServer server) {
        server.shutdown();
        server.awaitShutdown();
    }

    private static void requireFree(int port) throws IOException {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        }
    }

    private static void logExit(int status, @Nullable String message) {
        LOG.error("the embedded broker gave up with status {}: {}", status, message);
    }

    private static boolean isBindFailure(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BindException) return true;
        }
        return false;
    }
}
