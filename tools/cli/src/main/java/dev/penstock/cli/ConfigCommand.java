package dev.penstock.cli;

import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(name = "config", description = "Look at a configuration file.", mixinStandardHelpOptions = true)
final class ConfigCommand implements Runnable {
    /** By name: what services read is theirs, and this module compiles without them. */
    private static final String CHECK = "dev.penstock.localstack.ConfigCheck";

    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    ConfigCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        spec.commandLine().usage(terminal.out());
    }

    @Command(
            name = "check",
            description = "Say what is wrong with it, as every service would read it here; exit code 2 if anything is.",
            mixinStandardHelpOptions = true)
    int check(@Parameters(paramLabel = "FILE") Path file) {
        List<?> problems = problems(file);
        if (problems.isEmpty()) {
            terminal.out().println(file + " is good");
            return ExitCode.OK;
        }
        terminal.err().println(file + " is wrong:");
        problems.forEach(problem -> terminal.err().println("  " + problem));
        return ExitCode.WRONG_USE;
    }

    private static List<?> problems(Path file) {
        try {
            Object problems = Class.forName(CHECK)
                    .getMethod("problems", Path.class, Map.class)
                    .invoke(null, file, System.getenv());
            return problems instanceof List<?> list ? list : List.of();
        } catch (ClassNotFoundException e) {
            throw CliFailure.environment("This build has no local stack (" + CHECK + " is not on the class path).");
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException failure) throw failure;
            throw new IllegalStateException(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
