package dev.penstock.testkit.raw;

import dev.penstock.testkit.RawHttp.Ending;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * A client on a plain socket: sends exactly the bytes given, while a thread of its own reads, so that what comes back has
 * its true time. One thread calls.
 */
public final class RawClient implements AutoCloseable {
    private static final int CONNECT_MILLIS = 5_000;

    private final Socket socket = new Socket();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ByteArrayOutputStream raw = new ByteArrayOutputStream();
    private final List<Received.Arrival> arrivals = new ArrayList<>();
    private Ending ending = Ending.OPEN;
    private long endedNanos = -1;

    private RawClient(int loopbackPort) throws IOException {
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), loopbackPort), CONNECT_MILLIS);
        Thread.ofVirtual().start(this::read);
    }

    public static RawClient connect(int loopbackPort) throws IOException {
        return new RawClient(loopbackPort);
    }

    /** Connects, sends, takes the answer and closes. */
    public static Received exchange(int loopbackPort, byte[] request, Duration timeout) throws IOException {
        try (RawClient client = connect(loopbackPort)) {
            return client.send(request).awaitAnswers(1, timeout);
        }
    }

    /** Text as ISO-8859-1. */
    public RawClient send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    public RawClient send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    /** Sends {@code bytes} in pieces of {@code piece}, evenly over {@code time}; stops where the peer takes no more. */
    public RawClient sendSlowly(byte[] bytes, int piece, Duration time) {
        int pieces = Math.ceilDiv(bytes.length, piece);
        try {
            for (int i = 0; i < pieces; i++) {
                int from = i * piece;
                socket.getOutputStream().write(bytes, from, Math.min(piece, bytes.length - from));
                waits(time.dividedBy(pieces));
            }
        } catch (IOException refused) {
            // what came back says why
        }
        return this;
    }

    /** Lets time pass between two steps. */
    public RawClient waits(Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return this;
    }

    /** Until this text, as ISO-8859-1, has come. */
    public Received awaitText(String text, Duration timeout) {
        return await("\"" + text + "\"", timeout, received -> received.text().contains(text));
    }

    /** Until so many answers, interim ones not counted, have come whole, or the connection has ended. */
    public Received awaitAnswers(int count, Duration timeout) {
        return await(
                count + " answers",
                timeout,
                received -> received.ending() != Ending.OPEN
                        || received.responses().stream()
                                        .filter(response -> response.complete() && response.status() >= 200)
                                        .count()
                                >= count);
    }

    /** Until the peer closes or resets. */
    public Received awaitEnd(Duration timeout) {
        return await("the end of the connection", timeout, received -> received.ending() != Ending.OPEN);
    }

    public Received await(String what, Duration timeout, Predicate<Received> wanted) {
        lock.lock();
        try {
            long left = timeout.toNanos();
            Received received = received();
            while (!wanted.test(received)) {
                if (left <= 0 || received.ending() != Ending.OPEN) {
                    throw new AssertionError("waited for " + what + ", " + ending + ", received: " + received.text());
                }
                left = changed.awaitNanos(left);
                received = received();
            }
            return received;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            lock.unlock();
        }
    }

    /** So far. */
    public Received received() {
        lock.lock();
        try {
            return new Received(raw.toByteArray(), List.copyOf(arrivals), ending, endedNanos);
        } finally {
            lock.unlock();
        }
    }

    /** Sends FIN and goes on reading. */
    public RawClient halfClose() throws IOException {
        socket.shutdownOutput();
        return this;
    }

    /** Sends RST. */
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    /** Sends FIN, and RST to whatever still comes. */
    @Override
    public void close() throws IOException {
        socket.close();
    }

    private void read() {
        byte[] buffer = new byte[64 * 1024];
        try {
            for (int count = socket.getInputStream().read(buffer);
                    count >= 0;
                    count = socket.getInputStream().read(buffer)) {
                arrived(buffer, count);
            }
            ended(Ending.FIN);
        } catch (SocketException e) {
            ended(Ending.RST);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void arrived(byte[] bytes, int count) {
        long now = System.nanoTime();
        lock.lock();
        try {
            raw.write(bytes, 0, count);
            arrivals.add(new Received.Arrival(raw.size(), now));
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void ended(Ending how) {
        lock.lock();
        try {
            ending = how;
            endedNanos = System.nanoTime();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
