package dev.penstock.cli;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * {@code up --detach}: the same {@code up} in a JVM of its own, away from this terminal's signals. Its output goes to
 * {@code logs/stack.log} and is repeated here until {@code run.json} says ready.
 */
final class DetachedStack {
    private static final Duration READY_LIMIT = Duration.ofSeconds(60);
    private static final long POLL_MILLIS = 100;

    private final Terminal terminal;
    private final DataDir data;
    private final Path log;
    private long shownBytes;

    DetachedStack(Terminal terminal, DataDir data) {
        this.terminal = terminal;
        this.data = data;
        this.log = data.logs().resolve("stack.log");
    }

    int start(List<String> arguments) {
        try {
            return await(launch(arguments));
        } catch (IOException e) {
            throw CliFailure.environment("Cannot start the stack: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CliFailure.failed("Interrupted; the stack goes on starting. Stop it: ./penstock down");
        }
    }

    private Process launch(List<String> arguments) throws IOException {
        // Both replace themselves by the JVM, so that the process is the JVM; macOS has no setsid.
        List<String> command = new ArrayList<>(List.of(onPath("setsid") ? "setsid" : "nohup"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), PenstockMain.class.getName(), "up"));
        command.addAll(arguments);
        Files.deleteIfExists(log);
        return new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    private int await(Process child) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + READY_LIMIT.toNanos();
        while (System.nanoTime() - deadline < 0) {
            boolean ended = child.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
            showOutput(false);
            if (ended) return failed("The stack ended with exit code " + child.exitValue() + ".", child.exitValue());
            Optional<RunFile> run = RunFile.find(data);
            if (run.isPresent() && run.get().ready()) {
                terminal.err()
                        .println("Penstock runs in the background (process "
                                + run.get().pid() + "). Look at it: ./penstock status; stop it: ./penstock down");
                return ExitCode.OK;
            }
        }
        child.destroy();
        if (!child.waitFor(5, TimeUnit.SECONDS)) child.destroyForcibly();
        return failed("The stack was not ready after " + READY_LIMIT.toSeconds() + " s, and was stopped.", 0);
    }

    /** The log's last lines stand above: they were shown as they came. */
    private int failed(String what, int childExitCode) throws IOException {
        showOutput(true);
        terminal.err().println(what + " All it said: " + log);
        return childExitCode == ExitCode.OK ? ExitCode.ENVIRONMENT : childExitCode;
    }

    private void showOutput(boolean partialLine) throws IOException {
        try (RandomAccessFile in = new RandomAccessFile(log.toFile(), "r")) {
            in.seek(shownBytes);
            byte[] bytes = new byte[(int) Math.min(in.length() - shownBytes, 1 << 20)];
            in.readFully(bytes);
            int end = bytes.length;
            while (!partialLine && end > 0 && bytes[end - 1] != '\n') end--;
            shownBytes += end;
            terminal.err().print(new String(bytes, 0, end, StandardCharsets.UTF_8));
            terminal.err().flush();
        }
    }

    private static boolean onPath(String program) {
        for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            if (Files.isExecutable(Path.of(folder, program))) return true;
        }
        return false;
    }
}
