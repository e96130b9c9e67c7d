package dev.penstock.testkit.infra;

import dev.penstock.testkit.Await;
import dev.penstock.testkit.FreePorts;
import dev.penstock.testkit.OwnedProcesses;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.embedded.core.ExecutableProvider;

/**
 * A real Redis 6.2 as a child process, from the binary that the embedded-redis jar carries. Loopback only, nothing saved:
 * after {@link #stop()} and {@link #start()} it is empty, as a restarted cache is. Killed when this JVM ends, or is
 * killed. Any thread may call.
 */
public final class EmbeddedRedis implements AutoCloseable {
    private static final Duration START_DEADLINE = Duration.ofSeconds(10);
    private static final long STOP_GRACE_SECONDS = 3;
    private static final int START_ATTEMPTS = 5;
    private static final byte[] PING = "PING\r\n".getBytes(StandardCharsets.US_ASCII);

    private final boolean anyPort;
    private final Path workDir = TempDirs.create("redis");
    private int port;
    private @Nullable Process process;

    private EmbeddedRedis(int portOrZero) {
        this.anyPort = portOrZero == 0;
        this.port = anyPort ? FreePorts.one() : portOrZero;
        // for whoever does not close: run in reverse order, after the shutdown hook that ends the process
        workDir.toFile().deleteOnExit();
        logFile().toFile().deleteOnExit();
    }

    /** Starts a Redis; port 0 takes a free one and keeps it. */
    public static EmbeddedRedis start(int portOrZero) {
        EmbeddedRedis redis = new EmbeddedRedis(portOrZero);
        try {
            redis.startFirst();
            return redis;
        } catch (Throwable failure) {
            redis.close();
            throw failure;
        }
    }

    public synchronized String url() {
        return "redis://127.0.0.1:" + port;
    }

    public synchronized int port() {
        return port;
    }

    public synchronized boolean isRunning() {
        return process != null && process.isAlive();
    }

    /** Starts it again, on the same port; does nothing when it runs. */
    public synchronized void start() {
        if (isRunning()) return;
        Process candidate = launch();
        try {
            Await.until("Redis answers on port " + port, START_DEADLINE, () -> !candidate.isAlive() || pongs());
        } catch (AssertionError silent) {
            OwnedProcesses.kill(candidate);
            throw new IllegalStateException(silent.getMessage() + "; its log:\n" + log(), silent);
        }
        if (!candidate.isAlive()) throw new IllegalStateException("Redis ended at once; its log:\n" + log());
        process = candidate;
    }

    /** SIGTERM, then SIGKILL; back when the process is gone. Does nothing when it is. */
    public synchronized void stop() {
        if (process == null) return;
        OwnedProcesses.stop(process, STOP_GRACE_SECONDS);
        process = null;
    }

    @Override
    public synchronized void close() {
        stop();
        TempDirs.delete(workDir);
    }

    private void startFirst() {
        for (int attempt = 1; ; attempt++) {
            try {
                start();
                return;
            } catch (IllegalStateException failure) {
                if (!anyPort || attempt == START_ATTEMPTS) throw failure;
                port = FreePorts.one();
            }
        }
    }

    private Process launch() {
        List<String> command = new ArrayList<>(List.of(Binary.FILE.getPath(), "--port", Integer.toString(port)));
        command.addAll(List.of("--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--daemonize", "no"));
        command.addAll(List.of("--dir", workDir.toString(), "--loglevel", "notice"));
        try {
            return OwnedProcesses.start(new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(logFile().toFile()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean pongs() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 500);
            socket.setSoTimeout(500);
            socket.getOutputStream().write(PING);
            return new String(socket.getInputStream().readNBytes(5), StandardCharsets.US_ASCII).equals("+PONG");
        } catch (IOException notYet) {
            return false;
        }
    }

    private Path logFile() {
        return workDir.resolve("redis.log");
    }

    private String log() {
        try {
            return Files.exists(logFile()) ? Files.readString(logFile()) : "(none)";
        } catch (IOException e) {
            return "(unreadable: " + e + ")";
        }
    }

    /** The executable, unpacked once per JVM and deleted at its exit. */
    private static final class Binary {
        static final File FILE = unpack();

        private static File unpack() {
            try {
                return ExecutableProvider.newJarResourceProvider().get();
            } catch (IOException e) {
                throw new UncheckedIOException("the embedded-redis jar has no binary for this machine", e);
            }
        }
    }
}
