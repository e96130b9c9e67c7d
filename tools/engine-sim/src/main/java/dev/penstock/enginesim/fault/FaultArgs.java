package dev.penstock.enginesim.fault;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a verb's arguments from left to right; an optional one that has not its form is left to the next reader. */
final class FaultArgs {
    private static final Pattern TIME = Pattern.compile("(\\d{1,6})(ms|s|m)");
    private static final Pattern SIGNED_TIME = Pattern.compile("(-?\\d{1,6})(ms|s|m)");
    private static final Pattern PERCENT = Pattern.compile("(\\d{1,4})%");
    private static final Pattern NUMBER = Pattern.compile("-?[0-9.]+([eE][-+]?\\d+)?");
    private static final Pattern INTEGER = Pattern.compile("-?\\d{1,9}");

    private final String verb;
    private final List<String> args;
    private int at;

    FaultArgs(String verb, List<String> args) {
        this.verb = verb;
        this.args = args;
    }

    int integer(String expected) {
        return Integer.parseInt(required(expected, INTEGER).group());
    }

    int integer(String expected, int otherwise) {
        return next(INTEGER) ? integer(expected) : otherwise;
    }

    double number(String expected) {
        try {
            return Double.parseDouble(required(expected, NUMBER).group());
        } catch (NumberFormatException _) {
            at--;
            throw wrong(expected);
        }
    }

    double number(String expected, double otherwise) {
        return next(NUMBER) ? number(expected) : otherwise;
    }

    int percent() {
        return Integer.parseInt(required("a share such as 20%", PERCENT).group(1));
    }

    int percent(int otherwise) {
        return next(PERCENT) ? percent() : otherwise;
    }

    long millis(String expected) {
        return millis(required(expected, TIME));
    }

    long signedMillis(String expected) {
        return millis(required(expected, SIGNED_TIME));
    }

    private static long millis(Matcher time) {
        long unit =
                switch (time.group(2)) {
                    case "ms" -> 1;
                    case "s" -> 1000;
                    default -> 60_000;
                };
        return Long.parseLong(time.group(1)) * unit;
    }

    long millis(String expected, long otherwise) {
        return next(TIME) ? millis(expected) : otherwise;
    }

    boolean word(String word) {
        if (at < args.size() && args.get(at).equals(word)) {
            at++;
            return true;
        }
        return false;
    }

    /** Nothing may be left. */
    void end() {
        if (at < args.size()) {
            throw wrong(at == 0 ? "no argument" : "nothing after " + String.join(" ", args.subList(0, at)));
        }
    }

    private boolean next(Pattern form) {
        return at < args.size() && form.matcher(args.get(at)).matches();
    }

    private Matcher required(String expected, Pattern form) {
        if (at < args.size()) {
            Matcher matcher = form.matcher(args.get(at));
            if (matcher.matches()) {
                at++;
                return matcher;
            }
        }
        throw wrong(expected);
    }

    private IllegalArgumentException wrong(String expected) {
        return new IllegalArgumentException(
                verb + ": expected " + expected + ", got '" + String.join(" ", args.subList(at, args.size())) + "'");
    }
}
