package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "status",
        description = "What runs, and how the routers see each replica.",
        mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {
    private static final String CLEAR_SCREEN = "\033[H\033[2J";
    private static final long WATCH_MILLIS = 1000;
    private final Terminal terminal;

    @Mixin
    private DataDir data = new DataDir();

    @ArgGroup
    private Form form = new Form();

    static final class Form {
        @Option(names = "--json", description = "One JSON object.")
        private boolean json;

        @Option(names = "--watch", description = "Again every second, until Ctrl-C.")
        private boolean watch;
    }

    StatusCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        RunFile run = RunFile.require(data);
        try (ControlClient control = new ControlClient(run)) {
            show(control);
            while (form.watch) {
                Thread.sleep(WATCH_MILLIS);
                RunFile.require(data);
                show(control);
            }
        }
        return ExitCode.OK;
    }

    private void show(ControlClient control) {
        ControlClient.Answer answer = control.get("/status");
        if (answer.status() != 200) throw CliFailure.failed("Status: " + answer.error());
        JsonNode status = answer.body();
        if (form.json) {
            terminal.out().println(status);
            return;
        }
        String table = new StatusTable(status).render();
        terminal.out().print(form.watch && terminal.interactive() ? CLEAR_SCREEN + table : table);
        terminal.out().flush();
    }
}
