package dev.penstock.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** The root: what there is to type. */
@Command(
        name = "penstock",
        description = "The traffic layer for LLM-inference fleets, on this machine.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionCommand.Provider.class,
        synopsisSubcommandLabel = "COMMAND")
final class Penstock implements Runnable {
    private final Terminal terminal;

    private Penstock(Terminal terminal) {
        this.terminal = terminal;
    }

    static int run(Terminal terminal, String... args) {
        int exitCode = commandLine(terminal).execute(args);
        terminal.out().flush();
        terminal.err().flush();
        return exitCode;
    }

    static CommandLine commandLine(Terminal terminal) {
        return new CommandLine(new Penstock(terminal))
                .addSubcommand(new UpCommand(terminal))
                .addSubcommand(new DownCommand(terminal))
                .addSubcommand(new StatusCommand(terminal))
                .addSubcommand(new LoadCommand(terminal))
                .addSubcommand(new FaultCommand(terminal))
                .addSubcommand(new ExplainCommand(terminal))
                .addSubcommand(new LogsCommand(terminal))
                .addSubcommand(new ConfigCommand(terminal))
                .addSubcommand(new SimCommand(terminal))
                .addSubcommand(new BenchCommand(terminal))
                .addSubcommand(new KeyCommand(terminal, new SecureRandom()))
                .addSubcommand(new VersionCommand(terminal))
                .addSubcommand(new HelpCommand())
                .registerConverter(Duration.class, new DurationConverter())
                .setOut(new PrintWriter(terminal.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8))
                .setExecutionExceptionHandler((failure, command, parsed) -> report(terminal, failure));
    }

    private static int report(Terminal terminal, Exception failure) {
        if (failure instanceof CliFailure known) {
            terminal.err().println(known.getMessage());
            return known.exitCode();
        }
        failure.printStackTrace(terminal.err());
        return ExitCode.FAILED;
    }

    @Override
    public void run() {
        CommandLine.usage(this, terminal.out());
    }
}
