package dev.penstock.kit.config;

import java.util.List;
import java.util.stream.Collectors;

/** The configuration is wrong; carries every problem, because fixing them one start at a time is a waste. */
public final class ConfigException extends Exception {
    private final transient List<Problem> problems;

    ConfigException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    public List<Problem> problems() {
        return problems;
    }
}
