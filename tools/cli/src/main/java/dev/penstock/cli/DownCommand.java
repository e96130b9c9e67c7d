package dev.penstock.cli;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "down", description = "Stop the stack.", mixinStandardHelpOptions = true)
final class DownCommand implements Callable<Integer> {
    private static final Duration GRACE = Duration.ofSeconds(30);
    private static final Duration TERM_GRACE = Duration.ofSeconds(10);
    private final Terminal terminal;

    @Mixin
    private DataDir data = new DataDir();

    @Option(names = "--purge", description = "Also delete the data: topics, keys, logs.")
    private boolean purge;

    DownCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Optional<RunFile> run = purge ? RunFile.find(data) : Optional.of(RunFile.require(data));
        run.ifPresent(this::stop);
        if (purge) {
            data.purge();
            terminal.err().println("Deleted " + data.path());
        }
        return ExitCode.OK;
    }

    private void stop(RunFile run) {
        ProcessHandle process = run.process().orElse(null);
        if (process == null) return;
        try (ControlClient control = new ControlClient(run)) {
            control.post("/down", Json.MAPPER.createObjectNode());
        } catch (CliFailure e) {
            terminal.err().println(e.getMessage());
            process.destroy();
        }
        if (!ended(process, GRACE)) {
            terminal.err().println("Process " + run.pid() + " still runs after " + GRACE.toSeconds() + " s: SIGTERM");
            process.destroy();
            if (!ended(process, TERM_GRACE)) {
                process.destroyForcibly();
                if (!ended(process, TERM_GRACE)) {
                    throw CliFailure.environment("Process " + run.pid() + " cannot be stopped.");
                }
            }
        }
        RunFile.find(data); // removes what a killed process left
        terminal.err().println("Stopped.");
    }

    private static boolean ended(ProcessHandle process, Duration grace) {
        try {
            process.onExit().get(grace.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            return !process.isAlive();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CliFailure.failed("Interrupted; the stack may still be stopping.");
        }
    }
}
