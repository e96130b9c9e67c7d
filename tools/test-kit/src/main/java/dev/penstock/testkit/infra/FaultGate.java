package dev.penstock.testkit.infra;

import java.io.IOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * What the wire does at this moment. Written by the proxy's verbs; each relay reads it once per chunk, and waits here
 * while the wire is frozen.
 */
final class FaultGate {
    sealed interface Wire {}

    record Relaying(long delayNanos) implements Wire {}

    record Frozen() implements Wire {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile Wire wire = new Relaying(0);

    void set(Wire next) {
        wire = next;
        wakeAll();
    }

    /** Lets those who wait look again at whether their connection has ended. */
    void wakeAll() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until bytes may pass, and says how late; fails once {@code ended} holds. */
    long awaitPassage(BooleanSupplier ended) throws IOException {
        if (wire instanceof Relaying(long delayNanos)) return delayNanos;
        lock.lock();
        try {
            while (true) {
                if (ended.getAsBoolean()) throw new IOException("the connection ended while the wire was frozen");
                switch (wire) {
                    case Relaying(long delayNanos) -> {
                        return delayNanos;
                    }
                    case Frozen() -> changed.awaitUninterruptibly();
                }
            }
        } finally {
            lock.unlock();
        }
    }
}
