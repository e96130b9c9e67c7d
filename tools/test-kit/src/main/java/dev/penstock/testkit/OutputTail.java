package dev.penstock.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * The last lines a child process wrote, stdout and stderr in order of arrival. Written by one thread per stream, read by
 * the test. The readers are platform threads: a pipe read blocks its carrier, and two of them would stop every virtual
 * thread of a two-core machine.
 */
final class OutputTail {
    private static final int MAX_LINES = 5_000;
    private static final int MAX_LINE_CHARS = 8_192;

    private record Line(boolean stdout, String text) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<Line> lines = new ArrayDeque<>();
    private int openStreams;

    void follow(InputStream stream, boolean stdout, String name) {
        lock.lock();
        try {
            openStreams++;
        } finally {
            lock.unlock();
        }
        Thread.ofPlatform().daemon().name(name).start(() -> read(stream, stdout));
    }

    /** The first stdout line kept that matches; waits for it until the deadline or the end of both streams. */
    Optional<String> awaitStdout(Predicate<String> wanted, Duration timeout) throws InterruptedException {
        long leftNanos = timeout.toNanos();
        lock.lock();
        try {
            while (true) {
                for (Line line : lines) {
                    if (line.stdout() && wanted.test(line.text())) return Optional.of(line.text());
                }
                if (openStreams == 0 || leftNanos <= 0) return Optional.empty();
                leftNanos = changed.awaitNanos(leftNanos);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits until both streams have ended, so that {@link #text()} is complete. */
    void awaitEnd(Duration timeout) throws InterruptedException {
        long leftNanos = timeout.toNanos();
        lock.lock();
        try {
            while (openStreams > 0 && leftNanos > 0) leftNanos = changed.awaitNanos(leftNanos);
        } finally {
            lock.unlock();
        }
    }

    String text() {
        StringBuilder text = new StringBuilder();
        lock.lock();
        try {
            for (Line line : lines) text.append(line.text()).append('\n');
        } finally {
            lock.unlock();
        }
        return text.toString();
    }

    private void read(InputStream stream, boolean stdout) {
        try (var reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                add(new Line(stdout, line.length() <= MAX_LINE_CHARS ? line : line.substring(0, MAX_LINE_CHARS)));
            }
        } catch (IOException e) {
            add(new Line(false, "(output lost: " + e + ")"));
        } finally {
            lock.lock();
            try {
                openStreams--;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private void add(Line line) {
        lock.lock();
        try {
            if (lines.size() == MAX_LINES) lines.removeFirst();
            lines.addLast(line);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
