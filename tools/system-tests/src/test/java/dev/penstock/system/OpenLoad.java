package dev.penstock.system;

import dev.penstock.testkit.RawHttp;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Chats at a fixed rate, however slow the answers, every other one a stream or none. Each has a connection of its own: none can
 * fail because a kept one was closed meanwhile.
 */
final class OpenLoad implements AutoCloseable {
    private static final int MAX_TOKENS = 64;

    /** {@code served} says: 200, and the answer whole to its end. */
    record Result(
            long startedNanos,
            long endedNanos,
            boolean served,
            @Nullable String replica,
            String what) {}

    private final int routerPort;
    private final int maxTokens;
    private final Queue<Result> results = new ConcurrentLinkedQueue<>();
    private final AtomicLong started = new AtomicLong();
    private final ScheduledExecutorService pace = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().factory());
    private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();

    OpenLoad(int routerPort, int perSecond) {
        this(routerPort, perSecond, MAX_TOKENS, true);
    }

    /** Chats of so many tokens, none a stream. */
    static OpenLoad whole(int routerPort, int perSecond, int maxTokens) {
        return new OpenLoad(routerPort, perSecond, maxTokens, false);
    }

    private OpenLoad(int routerPort, int perSecond, int maxTokens, boolean streams) {
        this.routerPort = routerPort;
        this.maxTokens = maxTokens;
        pace.scheduleAtFixedRate(
                () -> clients.submit(() -> results.add(one(started.getAndIncrement() % 2 == 0 && streams))),
                0,
                1_000_000_000L / perSecond,
                TimeUnit.NANOSECONDS);
    }

    /** Those that have ended. */
    List<Result> results() {
        return List.copyOf(results);
    }

    private Result one(boolean stream) {
        long startedNanos = System.nanoTime();
        try {
            RawHttp.Response answer = RawHttp.exchange(routerPort, Suite.chat(stream, maxTokens), Suite.ANSWER_TIMEOUT);
            boolean ended = stream
                    ? answer.bodyText().endsWith("data: [DONE]\n\n")
                    : answer.bodyText().endsWith("}");
            return new Result(
                    startedNanos,
                    System.nanoTime(),
                    answer.status() == 200 && answer.complete() && ended,
                    answer.header("x-penstock-replica"),
                    (stream ? "stream: " : "whole: ") + answer.statusLine() + ", " + answer.ending());
        } catch (IOException e) {
            return new Result(startedNanos, System.nanoTime(), false, null, e.toString());
        }
    }

    /** Starts no more and waits for those that run. */
    @Override
    public void close() {
        pace.close();
        clients.close();
    }
}
