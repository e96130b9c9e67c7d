package dev.penstock.relaybench;

import dev.penstock.testkit.OwnedProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A process of the benchmark, with its output in a file. It can be frozen while others are measured. */
final class Child implements AutoCloseable {
    private static final int SHOWN_LINES = 15;
    private static final long GRACE_SECONDS = 5;

    private final Process process;
    private final Path log;

    private Child(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    static Child start(List<String> command, Map<String, String> environment, Path log) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        return new Child(OwnedProcesses.start(builder), log);
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    private String output() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return log + ": " + e;
        }
    }

    void requireAlive() {
        if (process.isAlive()) return;
        List<String> lines = output().lines().toList();
        throw new BenchFailure("a contender ended with " + process.exitValue() + "; its last lines:\n"
                + String.join("\n", lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size())));
    }

    /** With its children. */
    void signal(String signal) throws IOException, InterruptedException {
        StringBuilder pids = new StringBuilder(String.valueOf(process.pid()));
        handle().descendants().forEach(child -> pids.append(' ').append(child.pid()));
        List<String> command = new ArrayList<>(List.of("kill", signal));
        command.addAll(List.of(pids.toString().split(" ", -1)));
        new ProcessBuilder(command).start().waitFor(GRACE_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        if (process.isAlive()) signal("-CONT");
        OwnedProcesses.stop(process, GRACE_SECONDS);
    }
}
