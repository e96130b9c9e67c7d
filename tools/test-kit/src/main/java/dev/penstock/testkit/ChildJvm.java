package dev.penstock.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A Java main class as a child process, on this JVM's java binary and class path, so that a test can kill it, stop it
 * and go on. Killed when this JVM ends. One test thread uses it.
 */
public final class ChildJvm implements AutoCloseable {
    /** Both only silence warnings: of native transports, and of Kafka and protobuf about sun.misc.Unsafe. */
    private static final List<String> JVM_ARGS =
            List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");

    private final Process process;
    private final OutputTail output = new OutputTail();

    private ChildJvm(Process process, String name) {
        this.process = process;
        output.follow(process.getInputStream(), true, name + "-stdout");
        output.follow(process.getErrorStream(), false, name + "-stderr");
    }

    public static Builder of(Class<?> main) {
        return of(main.getName());
    }

    public static Builder of(String mainClass) {
        return new Builder(mainClass);
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** The first stdout line that contains {@code text}, also when it was written before this call. */
    public String awaitLine(String text, Duration timeout) {
        return awaitLine("a stdout line with \"" + text + "\"", timeout, line -> line.contains(text));
    }

    /** Fails at the deadline, and at once when the process ends without such a line. */
    public String awaitLine(String description, Duration timeout, Predicate<String> wanted) {
        try {
            return output.awaitStdout(wanted, timeout)
                    .orElseThrow(() ->
                            new AssertionError("no " + description + " within " + timeout.toMillis() + " ms; process "
                                    + pid() + (isAlive() ? " runs" : " has ended") + ", output:\n" + output()));
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** The last lines of stdout and stderr, at most 5,000; complete once the process has ended. */
    public String output() {
        if (!isAlive()) {
            try {
                output.awaitEnd(Duration.ofSeconds(2));
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
        }
        return output.text();
    }

    /** SIGTERM, and the exit code; fails when the process still runs at the deadline. */
    public int terminate(Duration timeout) {
        process.destroy();
        return awaitExit(timeout);
    }

    /** The exit code; fails when the process still runs at the deadline. */
    public int awaitExit(Duration timeout) {
        try {
            if (process.waitFor(timeout.toNanos(), TimeUnit.NANOSECONDS)) return process.exitValue();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        throw new AssertionError(
                "process " + pid() + " still runs after " + timeout.toMillis() + " ms, output:\n" + output());
    }

    /** SIGKILL; the process is gone when this returns. */
    public void kill9() {
        OwnedProcesses.kill(process);
    }

    /** Stops the process without ending it: a very long pause, seen from outside. */
    public void sigstop() {
        signal("-STOP");
    }

    public void sigcont() {
        signal("-CONT");
    }

    @Override
    public void close() {
        kill9();
    }

    private void signal(String signal) {
        try {
            Process kill = new ProcessBuilder("kill", signal, Long.toString(pid()))
                    .redirectErrorStream(true)
                    .start();
            if (kill.waitFor() != 0) {
                throw new IllegalStateException("kill " + signal + " " + pid() + " said: "
                        + new String(kill.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static AssertionError interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new AssertionError("interrupted", e);
    }

    /** What to start. */
    public static final class Builder {
        private final String mainClass;
        private final List<String> jvmArgs = new ArrayList<>(JVM_ARGS);
        private final List<String> args = new ArrayList<>();
        private final Map<String, String> environment = new HashMap<>();
        private @Nullable Path directory;

        private Builder(String mainClass) {
            this.mainClass = mainClass;
        }

        public Builder jvmArgs(String... more) {
            jvmArgs.addAll(List.of(more));
            return this;
        }

        public Builder args(String... more) {
            args.addAll(List.of(more));
            return this;
        }

        public Builder environment(String name, String value) {
            environment.put(name, value);
            return this;
        }

        public Builder directory(Path workingDirectory) {
            directory = workingDirectory;
            return this;
        }

        public ChildJvm start() throws IOException {
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(jvmArgs);
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
            command.addAll(args);
            ProcessBuilder builder = new ProcessBuilder(command);
            builder.environment().putAll(environment);
            if (directory != null) builder.directory(directory.toFile());
            return new ChildJvm(OwnedProcesses.start(builder), mainClass.substring(mainClass.lastIndexOf('.') + 1));
        }
    }
}
