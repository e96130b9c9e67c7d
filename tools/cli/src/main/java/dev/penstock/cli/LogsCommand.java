package dev.penstock.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
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
        List<LogFile> files = new ArrayList<>();
        List<LogLine> last = newLines(files, lines);
        if (files.isEmpty()) {
            throw CliFailure.environment("There is no log in " + data.logs() + ".\nStart Penstock: ./penstock up");
        }
        last.subList(Math.max(0, last.size() - lines), last.size()).forEach(this::print);
        while (follow) {
            terminal.out().flush();
            Thread.sleep(FOLLOW_MILLIS);
            newLines(files, Integer.MAX_VALUE).forEach(this::print);
        }
        return ExitCode.OK;
    }

    /** Of all logs, those of processes too, in the order of their time. */
    private List<LogLine> newLines(List<LogFile> files, int most) throws IOException {
        for (Path path : paths()) {
            if (files.stream().noneMatch(known -> known.path().equals(path))) files.add(new LogFile(path));
        }
        List<LogLine> all = new ArrayList<>();
        for (LogFile file : files) all.addAll(file.newLines(line -> service == null || line.isOf(service), most));
        // Lines without a time stay behind the one before them: the sort is stable and they carry its time.
        all.sort(Comparator.comparingLong(LogLine::timestamp));
        return all;
    }

    private List<Path> paths() throws IOException {
        if (!Files.isDirectory(data.logs())) return List.of();
        try (Stream<Path> entries = Files.list(data.logs())) {
            return entries.filter(path -> path.getFileName().toString().matches("[a-z]+(-[0-9]+)?\\.log"))
                    .sorted()
                    .toList();
        }
    }

    private void print(LogLine line) {
        terminal.out().println(line.text());
    }
}
