package dev.penstock.enginesim.fault;

import java.util.List;

/**
 * What is wrong with an engine; one at a time, until it is cleared or replaced. Each record says what it does, the verb
 * it is set by, and how its arguments are written. {@link FaultParser} reads them.
 */
public sealed interface Fault {
    /** The word it is set by on the command line and at the control endpoint. */
    String verb();

    default List<String> args() {
        return List.of();
    }

    /**
     * Reads a verb and its arguments.
     *
     * @throws IllegalArgumentException with what was expected, for whoever typed it
     */
    static Fault parse(String verb, List<String> args) {
        return FaultParser.parse(verb, args);
    }

    /** Every verb with its arguments, for a help page. */
    static List<String> usages() {
        return FaultParser.usages();
    }

    /** Nothing is wrong. */
    record None() implements Fault {
        @Override
        public String verb() {
            return "none";
        }
    }

    // ---- the process and its port

    /** Port closed, idle connections too; running requests finish, then their connections close. */
    record Refuse() implements Fault {
        @Override
        public String verb() {
            return "refuse";
        }
    }

    /** As SIGKILL: connections are reset, the port is closed, work is lost. Clearing starts a new process. */
    record Kill() implements Fault {
        @Override
        public String verb() {
            return "kill";
        }
    }

    /**
     * As SIGTERM. vLLM aborts what has not finished after the timeout, answers new requests with finish_reason
     * {@code abort} and health with 200; SGLang fails its health, takes new requests and waits for all of them. Both
     * close their port when they are empty. Clearing starts a new process.
     */
    record Sigterm(long timeoutMillis) implements Fault {
        @Override
        public String verb() {
            return "sigterm";
        }

        @Override
        public List<String> args() {
            return List.of(timeoutMillis + "ms");
        }
    }

    /** The engine behind the API process is dead; after a while the API process exits, too. */
    record Dead(long exitMillis) implements Fault {
        @Override
        public String verb() {
            return "dead";
        }

        @Override
        public List<String> args() {
            return List.of(exitMillis + "ms");
        }
    }

    /** Loading: vLLM refuses connections; SGLang answers, but its health does not, and requests wait. */
    record Starting() implements Fault {
        @Override
        public String verb() {
            return "starting";
        }
    }

    /** Connections are accepted and requests read, but nothing is ever answered, health and metrics included. */
    record Hang() implements Fault {
        @Override
        public String verb() {
            return "hang";
        }
    }

    /** Generation requests are never answered and never reach the scheduler; health and metrics see nothing of it. */
    record HangRequests() implements Fault {
        @Override
        public String verb() {
            return "hang-requests";
        }
    }

    /** A request on a connection that has carried one before gets a reset instead of an answer. */
    record ResetReused() implements Fault {
        @Override
        public String verb() {
            return "reset-reused";
        }
    }

    // ---- answers

    /** This share of generation requests gets this status at once; {@code /health} stays 200. */
    record ErrorStatus(int code, int percent) implements Fault {
        public ErrorStatus {
            if (code < 400 || code > 599) {
                throw new IllegalArgumentException("error: expected a status from 400 to 599, got " + code);
            }
            Percent.check("error", percent);
        }

        /** All of them. */
        public ErrorStatus(int code) {
            this(code, Percent.ALL);
        }

        @Override
        public String verb() {
            return "error";
        }

        @Override
        public List<String> args() {
            return Percent.args(Integer.toString(code), percent);
        }
    }

    /** This share of generation requests gets 429 and a Retry-After of this time, in whole seconds rounded up. */
    record Throttle(long retryAfterMillis, int percent) implements Fault {
        public Throttle {
            if (retryAfterMillis < 1) {
                throw new IllegalArgumentException("throttle: expected 1 ms or more, got " + retryAfterMillis + "ms");
            }
            Percent.check("throttle", percent);
        }

        @Override
        public String verb() {
            return "throttle";
        }

        @Override
        public List<String> args() {
            return Percent.args(retryAfterMillis + "ms", percent);
        }
    }

    /** The waiting queue is full: 503, or what SGLang answers to streams. */
    record QueueFull(boolean abortChunk) implements Fault {
        @Override
        public String verb() {
            return "queue-full";
        }

        @Override
        public List<String> args() {
            return abortChunk ? List.of("abort") : List.of();
        }
    }

    /** vLLM while its parallelism is scaled: 503 with an error that is a string. */
    record Scaling() implements Fault {
        @Override
        public String verb() {
            return "scaling";
        }
    }

    /** A request whose X-Request-Id (SGLang: rid) is or was in use gets a 500. */
    record StrictIds() implements Fault {
        @Override
        public String verb() {
            return "strict-ids";
        }
    }

    /** As a draining engine: 200, no text, finish_reason {@code abort}. */
    record Abort() implements Fault {
        @Override
        public String verb() {
            return "abort";
        }
    }

    // ---- streams

    /** How a truncated stream's connection ends. */
    enum Cut {
        /** Closed, without a last chunk. */
        FIN,
        /** Reset. */
        RST,
        /** The body ends as it should, so that only its content tells. */
        CLEAN
    }

    /** This share of streams is cut after so many tokens. */
    record Truncate(int afterTokens, int percent, Cut cut) implements Fault {
        static final int DEFAULT_TOKENS = 3;

        public Truncate {
            if (afterTokens < 1) {
                throw new IllegalArgumentException("truncate: expected 1 or more tokens, got " + afterTokens);
            }
            Percent.check("truncate", percent);
        }

        /** All streams lose their connection after this many tokens, without a last chunk. */
        public Truncate(int afterTokens) {
            this(afterTokens, Percent.ALL, Cut.FIN);
        }

        @Override
        public String verb() {
            return "truncate";
        }

        @Override
        public List<String> args() {
            List<String> args = Percent.args(Integer.toString(afterTokens), percent);
            return switch (cut) {
                case FIN -> args;
                case RST -> Percent.and(args, "rst");
                case CLEAN -> Percent.and(args, "clean");
            };
        }
    }

    /** This share of streams gets an error event after so many tokens, then {@code [DONE]}. */
    record StreamError(int afterTokens, int percent) implements Fault {
        public StreamError {
            if (afterTokens < 0) {
                throw new IllegalArgumentException("stream-error: expected 0 or more tokens, got " + afterTokens);
            }
            Percent.check("stream-error", percent);
        }

        @Override
        public String verb() {
            return "stream-error";
        }

        @Override
        public List<String> args() {
            return Percent.args(Integer.toString(afterTokens), percent);
        }
    }

    /** Streams end cleanly, but without {@code data: [DONE]}. */
    record DropDone() implements Fault {
        @Override
        public String verb() {
            return "drop-done";
        }
    }

    /** The last chunk of a choice has finish_reason null. */
    record DropFinish() implements Fault {
        @Override
        public String verb() {
            return "drop-finish";
        }
    }

    /** Every token's event is sent twice. */
    record Duplicate() implements Fault {
        @Override
        public String verb() {
            return "duplicate";
        }
    }

    /** Streams come in pieces of so many bytes with a pause between them. */
    record SlowLoris(int bytes, long pauseMillis) implements Fault {
        public SlowLoris {
            if (bytes < 1 || pauseMillis < 1) {
                throw new IllegalArgumentException("slow-loris: expected 1 or more bytes and 1 ms or more, got " + bytes
                        + " and " + pauseMillis + "ms");
            }
        }

        @Override
        public String verb() {
            return "slow-loris";
        }

        @Override
        public List<String> args() {
            return List.of(Integer.toString(bytes), pauseMillis + "ms");
        }
    }

    // ---- the scheduler

    /** Requests are accepted, streams get their 200 and no data; steps stop, and with them the counters. */
    record Stall() implements Fault {
        @Override
        public String verb() {
            return "stall";
        }
    }

    /** A stall whose health says 200 on SGLang, too: the scheduler's process died unnoticed. */
    record Orphan() implements Fault {
        @Override
        public String verb() {
            return "orphan";
        }
    }

    /** Steps take this many times as long. */
    record Slow(double factor) implements Fault {
        static final double MAX_FACTOR = 10_000;

        public Slow {
            if (!(factor > 0) || factor > MAX_FACTOR) {
                throw new IllegalArgumentException("slow: expected a factor above 0, up to 10000, got " + factor);
            }
        }

        @Override
        public String verb() {
            return "slow";
        }

        @Override
        public List<String> args() {
            return List.of(Double.toString(factor));
        }
    }

    /** Slow steps and a slow {@code /health}: alive, and with too much to do. */
    record Overload(double factor, long healthMillis) implements Fault {
        public Overload {
            if (!(factor > 0) || factor > Slow.MAX_FACTOR) {
                throw new IllegalArgumentException("overload: expected a factor above 0, up to 10000, got " + factor);
            }
        }

        @Override
        public String verb() {
            return "overload";
        }

        @Override
        public List<String> args() {
            return List.of(Double.toString(factor), healthMillis + "ms");
        }
    }

    /** Weights are off the GPU: requests queue silently, and the metrics page says that it sleeps. */
    record Sleep(int level) implements Fault {
        public Sleep {
            if (level != 1 && level != 2) {
                throw new IllegalArgumentException("sleep: expected level 1 or 2, got " + level);
            }
        }

        @Override
        public String verb() {
            return "sleep";
        }

        @Override
        public List<String> args() {
            return List.of(Integer.toString(level));
        }
    }

    /** Only this share of the KV cache is left. */
    record KvShrink(int percent) implements Fault {
        public KvShrink {
            Percent.check("kv-shrink", percent);
        }

        @Override
        public String verb() {
            return "kv-shrink";
        }

        @Override
        public List<String> args() {
            return List.of(percent + "%");
        }
    }

    /** A sequence is preempted in every other step. */
    record PreemptStorm() implements Fault {
        @Override
        public String verb() {
            return "preempt-storm";
        }
    }

    /** Sequences whose client has gone run to their end. */
    record Zombies() implements Fault {
        @Override
        public String verb() {
            return "zombies";
        }
    }

    // ---- health

    /** Health requests are accepted and never answered. */
    record HangHealth() implements Fault {
        @Override
        public String verb() {
            return "hang-health";
        }
    }

    /** Health is answered this much later. */
    record SlowHealth(long millis) implements Fault {
        @Override
        public String verb() {
            return "slow-health";
        }

        @Override
        public List<String> args() {
            return List.of(millis + "ms");
        }
    }

    /** Health answers this status while generation works. */
    record HealthStatus(int code) implements Fault {
        public HealthStatus {
            if (code < 400 || code > 599) {
                throw new IllegalArgumentException("health: expected a status from 400 to 599, got " + code);
            }
        }

        @Override
        public String verb() {
            return "health";
        }

        @Override
        public List<String> args() {
            return List.of(Integer.toString(code));
        }
    }

    // ---- metrics

    /** The metrics page keeps its present numbers while work goes on. */
    record FreezeMetrics() implements Fault {
        @Override
        public String verb() {
            return "freeze-metrics";
        }
    }

    /** The engine's gauges keep their present numbers; counters move. As of an engine that publishes nothing when idle. */
    record FreezeGauges() implements Fault {
        @Override
        public String verb() {
            return "freeze-gauges";
        }
    }

    /** Metrics and load requests are accepted and never answered. */
    record HangMetrics() implements Fault {
        @Override
        public String verb() {
            return "hang-metrics";
        }
    }

    /** Metrics and load answers come this much later. */
    record SlowMetrics(long millis) implements Fault {
        @Override
        public String verb() {
            return "slow-metrics";
        }

        @Override
        public List<String> args() {
            return List.of(millis + "ms");
        }
    }

    /** Metrics and load requests get this status. */
    record MetricsStatus(int code) implements Fault {
        public MetricsStatus {
            if (code < 400 || code > 599) {
                throw new IllegalArgumentException("metrics-error: expected a status from 400 to 599, got " + code);
            }
        }

        @Override
        public String verb() {
            return "metrics-error";
        }

        @Override
        public List<String> args() {
            return List.of(Integer.toString(code));
        }
    }

    /** The engine's gauges are NaN. */
    record NanMetrics() implements Fault {
        @Override
        public String verb() {
            return "nan-metrics";
        }
    }

    /** The engine's gauges appear once per process, with a label {@code pid}; all but one say 0. */
    record PidMetrics() implements Fault {
        @Override
        public String verb() {
            return "pid-metrics";
        }
    }

    /** The page has the names before the renames of 2025. */
    record OldMetrics() implements Fault {
        @Override
        public String verb() {
            return "old-metrics";
        }
    }

    /** Counters and histograms start again from 0, as after a restart nobody saw. */
    record ResetCounters() implements Fault {
        @Override
        public String verb() {
            return "reset-counters";
        }
    }

    /** The engine's wall clock is off by this much. */
    record ClockSkew(long millis) implements Fault {
        @Override
        public String verb() {
            return "clock-skew";
        }

        @Override
        public List<String> args() {
            return List.of(millis + "ms");
        }
    }
}
