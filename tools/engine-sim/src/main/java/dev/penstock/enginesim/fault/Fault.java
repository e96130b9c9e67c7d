package dev.penstock.enginesim.fault;

import java.util.List;

/** What is wrong with an engine; one at a time, until it is cleared or replaced. */
public sealed interface Fault {
    /** Nothing is wrong. */
    record None() implements Fault {}

    /** Port closed, idle connections too; running requests finish, then their connections close. */
    record Refuse() implements Fault {}

    /** Generation requests get this status at once; {@code /health} stays 200. */
    record ErrorStatus(int code) implements Fault {
        public ErrorStatus {
            if (code < 400 || code > 599) {
                throw new IllegalArgumentException("error: expected a status from 400 to 599, got " + code);
            }
        }
    }

    /** Requests are accepted, streams get their 200 and no data; steps stop, and with them the counters. */
    record Stall() implements Fault {}

    /** Streams lose their connection after this many tokens, without a last chunk. */
    record Truncate(int afterTokens) implements Fault {
        static final int DEFAULT_TOKENS = 3;

        public Truncate {
            if (afterTokens < 1) {
                throw new IllegalArgumentException("truncate: expected 1 or more tokens, got " + afterTokens);
            }
        }
    }

    /** Streams end cleanly, but without {@code data: [DONE]}. */
    record DropDone() implements Fault {}

    /** As a draining engine: 200, no text, finish_reason {@code abort}. */
    record Abort() implements Fault {}

    /** The metrics page keeps its present numbers while work goes on. */
    record FreezeMetrics() implements Fault {}

    /** Steps take this many times as long. */
    record Slow(double factor) implements Fault {
        public Slow {
            if (!(factor > 0) || factor > 10_000) {
                throw new IllegalArgumentException("slow: expected a factor above 0, up to 10000, got " + factor);
            }
        }
    }

    /** The word it is set by on the command line and at the control endpoint. */
    default String verb() {
        return switch (this) {
            case None _ -> "none";
            case Refuse _ -> "refuse";
            case ErrorStatus _ -> "error";
            case Stall _ -> "stall";
            case Truncate _ -> "truncate";
            case DropDone _ -> "drop-done";
            case Abort _ -> "abort";
            case FreezeMetrics _ -> "freeze-metrics";
            case Slow _ -> "slow";
        };
    }

    default List<String> args() {
        return switch (this) {
            case ErrorStatus error -> List.of(Integer.toString(error.code()));
            case Truncate truncate -> List.of(Integer.toString(truncate.afterTokens()));
            case Slow slow -> List.of(Double.toString(slow.factor()));
            case None _, Refuse _, Stall _, DropDone _, Abort _, FreezeMetrics _ -> List.of();
        };
    }

    /**
     * Reads a verb and its arguments.
     *
     * @throws IllegalArgumentException with what was expected, for whoever typed it
     */
    static Fault parse(String verb, List<String> args) {
        return switch (verb) {
            case "refuse" -> without(verb, args, new Refuse());
            case "error" -> new ErrorStatus((int) number(verb, "a status such as 503", args));
            case "stall" -> without(verb, args, new Stall());
            case "truncate" ->
                new Truncate(args.isEmpty() ? Truncate.DEFAULT_TOKENS : (int) number(verb, "a number of tokens", args));
            case "drop-done" -> without(verb, args, new DropDone());
            case "abort" -> without(verb, args, new Abort());
            case "freeze-metrics" -> without(verb, args, new FreezeMetrics());
            case "slow" -> new Slow(number(verb, "a factor such as 5", args));
            // Health says yes while generation fails, which is what `error` does; the word is kept for its meaning.
            case "lie" -> without(verb, args, new ErrorStatus(500));
            default ->
                throw new IllegalArgumentException("unknown fault '" + verb
                        + "', expected one of: refuse, error CODE, stall, truncate [TOKENS], drop-done, abort, "
                        + "freeze-metrics, slow FACTOR, lie");
        };
    }

    private static Fault without(String verb, List<String> args, Fault fault) {
        if (!args.isEmpty()) {
            throw new IllegalArgumentException(verb + ": expected no argument, got " + String.join(" ", args));
        }
        return fault;
    }

    private static double number(String verb, String expected, List<String> args) {
        try {
            if (args.size() == 1) {
                return Double.parseDouble(args.getFirst());
            }
        } catch (NumberFormatException _) {
            // Falls through to the one message for both mistakes.
        }
        throw new IllegalArgumentException(verb + ": expected " + expected + ", got '" + String.join(" ", args) + "'");
    }
}
