package dev.penstock.kit.bus;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A daemon thread that owns one Kafka client. A platform thread, because Kafka's clients park inside monitors and native
 * code for long.
 */
final class Worker {
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;

    Worker(String name, Runnable body) {
        thread = Thread.ofPlatform().name(name).daemon().unstarted(body);
    }

    void start() {
        thread.start();
    }

    boolean closing() {
        return closing.getCount() == 0;
    }

    void askToClose() {
        closing.countDown();
    }

    /** False when it is time to end. */
    boolean pause(long millis) {
        try {
            return !closing.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            return !closing();
        }
    }

    /** Waits for its end, then insists; either way back soon after the patience. */
    void join(Duration patience) throws InterruptedException {
        if (!thread.join(patience)) {
            thread.interrupt();
            thread.join(Duration.ofMillis(100));
        }
    }
}
