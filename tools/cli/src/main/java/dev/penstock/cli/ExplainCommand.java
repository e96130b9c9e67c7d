package dev.penstock.cli;

import dev.penstock.cli.RunFile.Endpoint;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "explain",
        description = "Why a request went where it went: its candidates, their load, and who was excluded.",
        mixinStandardHelpOptions = true)
final class ExplainCommand implements Callable<Integer> {
    private static final String ADVICE =
            "The id is in each answer's x-request-id header; routers remember their last" + " few thousand requests.";
    private final Terminal terminal;

    @Mixin
    private DataDir data = new DataDir();

    @Parameters(index = "0", paramLabel = "ID", description = "The x-request-id of an answer, such as router-0-kx3...")
    private String id = "";

    @Option(names = "--json", description = "One JSON object.")
    private boolean json;

    ExplainCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Endpoint router = routerOf(RunFile.require(data));
        if (router.managementUrl() == null) {
            throw CliFailure.environment(router.name() + " has no management port in run.json.");
        }
        ControlClient.Answer answer;
        try (ControlClient management = new ControlClient(router.managementUrl())) {
            answer = management.get("/debug/decisions/" + URLEncoder.encode(id, StandardCharsets.UTF_8));
        }
        switch (answer.status()) {
            case 200 -> show(answer);
            case 401 ->
                throw CliFailure.environment(router.name() + " asks for its management token, which explain does not"
                        + " send.\nAsk it yourself: " + router.managementUrl() + "/debug/decisions/" + id);
            case 404 -> throw CliFailure.failed(router.name() + ": " + answer.error() + "\n" + ADVICE);
            default -> throw CliFailure.failed(router.name() + ": " + answer.error());
        }
        return ExitCode.OK;
    }

    private void show(ControlClient.Answer answer) {
        if (json) terminal.out().println(answer.body());
        else terminal.out().print(new DecisionText(answer.body()).render());
    }

    /** The id begins with its router's name; one name may begin with another. */
    private Endpoint routerOf(RunFile run) {
        List<Endpoint> routers = run.routers() == null ? List.of() : run.routers();
        return routers.stream()
                .filter(router -> id.startsWith(router.name() + "-"))
                .max(Comparator.comparingInt(router -> router.name().length()))
                .orElseThrow(() -> CliFailure.failed("No router that runs has decided " + id + " (running: "
                        + String.join(", ", routers.stream().map(Endpoint::name).toList()) + ").\n" + ADVICE));
    }
}
