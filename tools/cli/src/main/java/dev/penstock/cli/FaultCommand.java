package dev.penstock.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "fault",
        description = {
            "Break a part on purpose, or mend it.",
            "  engines: refuse | error CODE | stall | truncate | drop-done | slow FACTOR | freeze-metrics | abort |"
                    + " lie",
            "  services: kill | stop | cont | restart",
            "  kafka, redis: stop | start | delay T | freeze",
            "  all: clear"
        },
        mixinStandardHelpOptions = true)
final class FaultCommand implements Callable<Integer> {
    private static final String CLEAR = "clear";
    private final Terminal terminal;

    @Mixin
    private DataDir data = new DataDir();

    @Parameters(index = "0", paramLabel = "TARGET", description = "engine-3, router-1, kafka, redis, collector, ...")
    private String target = "";

    @Parameters(index = "1", paramLabel = "VERB")
    private String verb = "";

    @Parameters(index = "2..*", paramLabel = "ARGS")
    private List<String> args = List.of();

    @Option(names = "--for", paramLabel = "T", description = "Clears itself after T, such as 500ms or 30s.")
    private @Nullable Duration duration;

    FaultCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        boolean clear = verb.equals(CLEAR);
        if (clear && (duration != null || !args.isEmpty())) throw CliFailure.wrongUse("clear takes nothing more.");
        ControlClient.Answer answer;
        try (ControlClient control = new ControlClient(RunFile.require(data))) {
            answer = control.post(clear ? "/fault/clear" : "/fault", body(clear));
        }
        if (answer.status() == 200) {
            terminal.err().println(target + ": " + (clear ? "cleared" : said()));
            return ExitCode.OK;
        }
        String message = target + " " + verb + ": " + answer.error();
        throw answer.status() / 100 == 4 ? CliFailure.wrongUse(message) : CliFailure.failed(message);
    }

    private ObjectNode body(boolean clear) {
        ObjectNode body = Json.MAPPER.createObjectNode().put("target", target);
        if (clear) return body;
        body.put("verb", verb);
        args.forEach(body.putArray("args")::add);
        if (duration != null) body.put("forMillis", duration.toMillis());
        return body;
    }

    private String said() {
        String words = args.isEmpty() ? verb : verb + " " + String.join(" ", args);
        return duration == null ? words : words + " for " + duration.toMillis() + " ms";
    }
}
