package dev.penstock.cli;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "logs", description = "The log of the stack, for people.", mixinStandardHelpOptions = true)
final class LogsCommand implements Callable<Integer> {
    private static final long FOLLOW_MILLIS = 200;
    private final Terminal terminal;

    @Mixin
    private DataDir data = new DataDir();

    @Parameters(
            arity = "0..1",
            paramLabel = "SERVICE",
            description = "Only its lines: router-0, collector, ...; router is all routers.")
    private @Nullable String service;

    @Option(names = "-f", description = "Follow.")
    private boolean follow;

    @Option(names = "-n", paramLabel = "N", description = "Last lines to show (default: ${DEFAULT-VALUE}).")
    private int lines = 50;

    LogsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (lines < 0) throw CliFailure.wrongUse("-n: expected 0 or more, got " + lines);
        Path file = data.logs().resolve("penstock.log");
        if (!Files.exists(file)) {
            throw CliFailure.environment("There is no log at " + file + ".\nStart Penstock: ./penstock up");
        }
        ArrayDeque<String> last = new ArrayDeque<>();
        long position = read(file, 0, text -> {
            last.addLast(text);
            if (last.size() > lines) last.removeFirst();
        });
        last.forEach(terminal.out()::println);
        while (follow) {
            terminal.out().flush();
            Thread.sleep(FOLLOW_MILLIS);
            long size = Files.exists(file) ? Files.size(file) : 0;
            if (size < position) position = 0; // begun again, by rotation or by another up
            if (size > position) position = read(file, position, terminal.out()::println);
        }
        return ExitCode.OK;
    }

    private interface Sink {
        void show(String text);
    }

    /** Shows the complete lines from {@code position} on; returns where the next one begins. */
    private long read(Path file, long position, Sink sink) throws IOException {
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            in.seek(position);
            byte[] piece = new byte[1 << 16];
            byte[] rest = new byte[0];
            long next = position;
            for (int count = in.read(piece); count > 0; count = in.read(piece)) {
                byte[] bytes = new byte[rest.length + count];
                System.arraycopy(rest, 0, bytes, 0, rest.length);
                System.arraycopy(piece, 0, bytes, rest.length, count);
                int start = 0;
                for (int i = rest.length; i < bytes.length; i++) {
                    if (bytes[i] != '\n') continue;
                    show(new String(bytes, start, i - start, StandardCharsets.UTF_8), sink);
                    start = i + 1;
                }
                next += start;
                rest = Arrays.copyOfRange(bytes, start, bytes.length);
            }
            return next;
        }
    }

    private void show(String line, Sink sink) {
        LogLine parsed = LogLine.parse(line);
        if (service == null || parsed.isOf(service)) sink.show(parsed.text());
    }
}
