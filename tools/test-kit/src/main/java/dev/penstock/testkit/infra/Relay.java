package dev.penstock.testkit.infra;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Copies one direction. Undelayed, a chunk is written before the next is read, so the sender feels the receiver's
 * back-pressure. Delayed, chunks wait in order for their time while more are read, up to 256 KiB: a delay adds latency
 * and leaves throughput alone, as distance does. One thread.
 */
final class Relay {
    private static final int CHUNK_BYTES = 16 * 1024;
    private static final int MAX_WAITING_BYTES = 256 * 1024;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Late(byte[] bytes, long dueNanos) {}

    private final Socket from;
    private final InputStream in;
    private final OutputStream out;
    private final FaultGate gate;
    private final BooleanSupplier ended;
    private final byte[] chunk = new byte[CHUNK_BYTES];
    private final ArrayDeque<Late> waiting = new ArrayDeque<>();
    private int waitingBytes;
    private boolean finished;

    Relay(Socket from, Socket to, FaultGate gate, BooleanSupplier ended) throws IOException {
        this.from = from;
        this.in = from.getInputStream();
        this.out = to.getOutputStream();
        this.gate = gate;
        this.ended = ended;
    }

    /** Returns when the sender has closed and all of its bytes are written. */
    void run() throws IOException {
        while (!finished || !waiting.isEmpty()) {
            if (waiting.isEmpty()) {
                readAndPass(0);
            } else {
                readUntilDue();
            }
        }
        gate.awaitPassage(ended);
    }

    private void readUntilDue() throws IOException {
        long leftNanos = waiting.getFirst().dueNanos() - System.nanoTime();
        if (leftNanos <= 0) {
            gate.awaitPassage(ended);
            Late late = waiting.removeFirst();
            waitingBytes -= late.bytes().length;
            out.write(late.bytes());
        } else if (finished || waitingBytes >= MAX_WAITING_BYTES) {
            LockSupport.parkNanos(leftNanos);
        } else {
            readAndPass((int) Math.max(1, leftNanos / 1_000_000));
        }
    }

    /** Reads one chunk, waiting {@code timeoutMillis} at most, or without end when 0. */
    private void readAndPass(int timeoutMillis) throws IOException {
        int count;
        try {
            from.setSoTimeout(timeoutMillis);
            count = in.read(chunk);
        } catch (SocketTimeoutException due) {
            return;
        }
        if (count < 0) {
            finished = true;
            return;
        }
        long arrived = System.nanoTime();
        long delayNanos = gate.awaitPassage(ended);
        if (delayNanos == 0 && waiting.isEmpty()) {
            out.write(chunk, 0, count);
        } else {
            waiting.addLast(new Late(Arrays.copyOf(chunk, count), dueNanos(arrived + delayNanos)));
            waitingBytes += count;
        }
    }

    /** Never before the chunk in front, else a shortened delay would reorder the stream. */
    private long dueNanos(long wanted) {
        if (waiting.isEmpty()) return wanted;
        long before = waiting.getLast().dueNanos();
        return wanted - before < 0 ? before : wanted;
    }
}
