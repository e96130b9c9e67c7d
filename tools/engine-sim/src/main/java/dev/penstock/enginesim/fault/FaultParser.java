package dev.penstock.enginesim.fault;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The verbs: what each is called, what it takes, and what it makes of it. */
final class FaultParser {
    private record Verb(String usage, Function<FaultArgs, Fault> make) {}

    private static final long SIGTERM_DRAIN_MILLIS = 30_000;
    private static final long WATCHDOG_MILLIS = 5_000;
    private static final long RETRY_AFTER_MILLIS = 1_000;
    private static final long BUSY_HEALTH_MILLIS = 30_000;
    private static final Map<String, Verb> VERBS = verbs();

    private FaultParser() {}

    static Fault parse(String verb, List<String> args) {
        Verb known = VERBS.get(verb);
        if (known == null) {
            throw new IllegalArgumentException(
                    "unknown fault '" + verb + "', expected one of: " + String.join(", ", usages()));
        }
        FaultArgs reader = new FaultArgs(verb, args);
        Fault fault = known.make.apply(reader);
        reader.end();
        return fault;
    }

    static List<String> usages() {
        return VERBS.values().stream().map(Verb::usage).toList();
    }

    private static Map<String, Verb> verbs() {
        Map<String, Verb> verbs = new LinkedHashMap<>();
        addProcess(verbs);
        addAnswers(verbs);
        addStreams(verbs);
        addScheduler(verbs);
        addHealthAndMetrics(verbs);
        return verbs;
    }

    private static void addProcess(Map<String, Verb> verbs) {
        add(verbs, "refuse", _ -> new Fault.Refuse());
        add(verbs, "kill", _ -> new Fault.Kill());
        add(verbs, "sigterm [T=0s]", args -> new Fault.Sigterm(args.millis("a shutdown timeout such as 30s", 0)));
        add(
                verbs,
                "drain [T=30s]",
                args -> new Fault.Sigterm(args.millis("a shutdown timeout such as 30s", SIGTERM_DRAIN_MILLIS)));
        add(verbs, "dead [T=5s]", args -> new Fault.Dead(args.millis("a time such as 5s", WATCHDOG_MILLIS)));
        add(verbs, "starting", _ -> new Fault.Starting());
        add(verbs, "hang", _ -> new Fault.Hang());
        add(verbs, "hang-requests", _ -> new Fault.HangRequests());
        add(verbs, "reset-reused", _ -> new Fault.ResetReused());
    }

    private static void addAnswers(Map<String, Verb> verbs) {
        add(
                verbs,
                "error CODE [SHARE%]",
                args -> new Fault.ErrorStatus(args.integer("a status such as 503"), args.percent(Percent.ALL)));
        add(verbs, "error-rate SHARE%", args -> new Fault.ErrorStatus(500, args.percent()));
        // Health says yes while generation fails, which is what `error` does; the words are kept for their meaning.
        add(verbs, "lie", _ -> new Fault.ErrorStatus(500));
        add(verbs, "oom [SHARE%]", args -> new Fault.ErrorStatus(500, args.percent(Percent.ALL)));
        add(
                verbs,
                "throttle [T=1s] [SHARE%]",
                args -> new Fault.Throttle(
                        args.millis("a time such as 1s", RETRY_AFTER_MILLIS), args.percent(Percent.ALL)));
        add(verbs, "queue-full [abort]", args -> new Fault.QueueFull(args.word("abort")));
        add(verbs, "scaling", _ -> new Fault.Scaling());
        add(verbs, "strict-ids", _ -> new Fault.StrictIds());
        add(verbs, "abort", _ -> new Fault.Abort());
    }

    private static void addStreams(Map<String, Verb> verbs) {
        add(verbs, "truncate [TOKENS=3] [SHARE%] [rst|clean]", FaultParser::truncate);
        add(
                verbs,
                "truncate-rate SHARE%",
                args -> new Fault.Truncate(Fault.Truncate.DEFAULT_TOKENS, args.percent(), Fault.Cut.FIN));
        add(
                verbs,
                "stream-error [TOKENS=3] [SHARE%]",
                args -> new Fault.StreamError(
                        args.integer("a number of tokens", Fault.Truncate.DEFAULT_TOKENS), args.percent(Percent.ALL)));
        add(verbs, "drop-done", _ -> new Fault.DropDone());
        add(verbs, "drop-finish", _ -> new Fault.DropFinish());
        add(verbs, "duplicate", _ -> new Fault.Duplicate());
        add(
                verbs,
                "slow-loris [BYTES=8] [T=20ms]",
                args -> new Fault.SlowLoris(args.integer("a number of bytes", 8), args.millis("a pause", 20)));
    }

    private static void addScheduler(Map<String, Verb> verbs) {
        add(verbs, "stall", _ -> new Fault.Stall());
        add(verbs, "orphan", _ -> new Fault.Orphan());
        add(verbs, "slow FACTOR", args -> new Fault.Slow(args.number("a factor such as 5")));
        add(
                verbs,
                "overload [FACTOR=5] [T=30s]",
                args -> new Fault.Overload(
                        args.number("a factor such as 5", 5), args.millis("a time such as 30s", BUSY_HEALTH_MILLIS)));
        add(verbs, "sleep [LEVEL=1]", args -> new Fault.Sleep(args.integer("level 1 or 2", 1)));
        add(verbs, "kv-shrink SHARE%", args -> new Fault.KvShrink(args.percent()));
        add(verbs, "preempt-storm", _ -> new Fault.PreemptStorm());
        add(verbs, "zombies", _ -> new Fault.Zombies());
    }

    private static void addHealthAndMetrics(Map<String, Verb> verbs) {
        add(verbs, "hang-health", _ -> new Fault.HangHealth());
        add(
                verbs,
                "slow-health [T=30s]",
                args -> new Fault.SlowHealth(args.millis("a time such as 30s", BUSY_HEALTH_MILLIS)));
        add(verbs, "health [CODE=503]", args -> new Fault.HealthStatus(args.integer("a status such as 503", 503)));
        add(verbs, "freeze-metrics", _ -> new Fault.FreezeMetrics());
        add(verbs, "freeze-gauges", _ -> new Fault.FreezeGauges());
        add(verbs, "hang-metrics", _ -> new Fault.HangMetrics());
        add(verbs, "slow-metrics T", args -> new Fault.SlowMetrics(args.millis("a time such as 500ms")));
        add(
                verbs,
                "metrics-error [CODE=500]",
                args -> new Fault.MetricsStatus(args.integer("a status such as 500", 500)));
        add(verbs, "nan-metrics", _ -> new Fault.NanMetrics());
        add(verbs, "pid-metrics", _ -> new Fault.PidMetrics());
        add(verbs, "old-metrics", _ -> new Fault.OldMetrics());
        add(verbs, "reset-counters", _ -> new Fault.ResetCounters());
        add(verbs, "clock-skew T", args -> new Fault.ClockSkew(args.signedMillis("a time such as 90s or -90s")));
    }

    private static void add(Map<String, Verb> verbs, String usage, Function<FaultArgs, Fault> make) {
        int space = usage.indexOf(' ');
        verbs.put(space < 0 ? usage : usage.substring(0, space), new Verb(usage, make));
    }

    private static Fault truncate(FaultArgs args) {
        int tokens = args.integer("a number of tokens", Fault.Truncate.DEFAULT_TOKENS);
        int percent = args.percent(Percent.ALL);
        Fault.Cut cut = args.word("rst") ? Fault.Cut.RST : args.word("clean") ? Fault.Cut.CLEAN : Fault.Cut.FIN;
        return new Fault.Truncate(tokens, percent, cut);
    }
}
