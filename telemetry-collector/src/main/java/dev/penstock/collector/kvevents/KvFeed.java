package dev.penstock.collector.kvevents;

import dev.penstock.core.kvevents.KvBlocks;
import dev.penstock.core.kvevents.KvEvent;
import dev.penstock.core.kvevents.KvStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;
import org.zeromq.ZMQException;

/**
 * One replica's sockets and what came out of them. Live messages come by subscription; while earlier ones are told again, by a
 * socket that lives as long as that takes, the live ones wait in their queue. Used on the subscriber's thread.
 */
final class KvFeed implements AutoCloseable {
    /** Everything held is said again in this time, so that it is never older than 5 min to those who read 10 min back. */
    static final long AGAIN_NANOS = Duration.ofMinutes(4).toNanos();

    private static final int WAITING_MESSAGES = 10_000;
    private static final int MOST_MESSAGE_BYTES = 16 << 20;
    /** Per look, so that one replica does not keep the others waiting. */
    private static final int MESSAGES_AT_ONCE = 64;

    private static final int FIRST_RECONNECT_MILLIS = 100;
    private static final int LONGEST_RECONNECT_MILLIS = 5_000;
    private static final int HEARTBEAT_MILLIS = 5_000;
    private static final int FRAMES = 3;

    private final ZContext zmq;
    private final KvTarget target;
    private final KvCounters counters;
    private final ZMQ.Socket subscription;
    private final ZMQ.Socket monitor;
    private final PrefixChanges changes = new PrefixChanges();
    private final KvBlocks blocks;
    private final KvStream stream;
    private ZMQ.@Nullable Socket replay;
    private final ReplayLimit limit = new ReplayLimit();
    private long leftOutTold;
    private long gapsTold;
    private double againAt;

    KvFeed(ZContext zmq, KvTarget target, String monitorName, KvCounters counters) {
        this.zmq = zmq;
        this.target = target;
        this.counters = counters;
        blocks = new KvBlocks(target.vocabulary(), target.model(), KvBlocks.MOST_BLOCKS, changes);
        stream = new KvStream(blocks);
        subscription = socket(SocketType.SUB);
        subscription.subscribe(ZMQ.SUBSCRIPTION_ALL);
        subscription.monitor("inproc://" + monitorName, ZMQ.EVENT_CONNECTED | ZMQ.EVENT_DISCONNECTED);
        monitor = zmq.createSocket(SocketType.PAIR);
        monitor.connect("inproc://" + monitorName);
        try {
            subscription.connect(target.source().events());
        } catch (ZMQException e) {
            close();
            throw e;
        }
    }

    private ZMQ.Socket socket(SocketType type) {
        ZMQ.Socket socket = zmq.createSocket(type);
        socket.setLinger(0);
        socket.setRcvHWM(WAITING_MESSAGES);
        socket.setMaxMsgSize(MOST_MESSAGE_BYTES);
        socket.setReconnectIVL(FIRST_RECONNECT_MILLIS);
        socket.setReconnectIVLMax(LONGEST_RECONNECT_MILLIS);
        socket.setHandshakeIvl(HEARTBEAT_MILLIS);
        socket.setHeartbeatIvl(HEARTBEAT_MILLIS);
        socket.setHeartbeatTimeout(HEARTBEAT_MILLIS);
        return socket;
    }

    KvTarget target() {
        return target;
    }

    /** What the thread waits for now. */
    void register(ZMQ.Poller poller) {
        poller.register(monitor, ZMQ.Poller.POLLIN);
        ZMQ.Socket asked = replay;
        poller.register(asked == null ? subscription : asked, ZMQ.Poller.POLLIN);
    }

    /** Reads what is there. @return true when it waits for other sockets from now on */
    boolean read(long nowNanos) {
        ZMQ.Socket before = replay;
        connection(nowNanos);
        ZMQ.Socket asked = replay;
        if (asked == null) live(nowNanos);
        else again(asked, nowNanos);
        return before != replay;
    }

    private void connection(long nowNanos) {
        for (ZMQ.Event event = next(); event != null; event = next()) {
            if (event.getEvent() == ZMQ.EVENT_DISCONNECTED) {
                // what still waits is of the process that may be gone
                while (receive(subscription) != null) {}
                endReplay();
                stream.forget();
            } else {
                endReplay();
                stream.reached();
                ask(nowNanos);
            }
        }
    }

    private ZMQ.@Nullable Event next() {
        return ZMQ.Event.recv(monitor, ZMQ.DONTWAIT);
    }

    private void live(long nowNanos) {
        for (int i = 0; i < MESSAGES_AT_ONCE; i++) {
            byte[][] frames = receive(subscription);
            if (frames == null) return;
            List<KvEvent> events = frames.length == FRAMES ? decode(frames[1], frames[2]) : null;
            if (events == null) {
                counters.malformed();
                continue;
            }
            if (stream.message(number(frames[1]), events)) continue;
            ask(nowNanos);
            return;
        }
    }

    /** Asks for the messages before the one that is held, or goes on without them where nobody tells them. */
    private void ask(long nowNanos) {
        String address = target.source().replay();
        if (address == null) {
            stream.replayEnded();
            return;
        }
        limit.begin(nowNanos);
        ask(address);
    }

    /** On a new connection. */
    private void ask(String address) {
        try {
            replay = asking(address);
        } catch (ZMQException unresolvable) {
            replay = null;
            stream.replayEnded();
        }
    }

    private ZMQ.Socket asking(String address) {
        ZMQ.Socket asked = socket(SocketType.DEALER);
        asked.setSendTimeOut(0);
        try {
            asked.connect(address);
        } catch (ZMQException e) {
            asked.close();
            throw e;
        }
        asked.send(new byte[0], ZMQ.SNDMORE);
        asked.send(ByteBuffer.allocate(Long.BYTES).putLong(stream.next()).array());
        return asked;
    }

    /** Frames are an empty one, on newer engines the topic, number, payload; number -1 ends it. */
    private void again(ZMQ.Socket asked, long nowNanos) {
        for (int i = 0; i < MESSAGES_AT_ONCE; i++) {
            byte[][] frames = receive(asked);
            if (frames == null) break;
            limit.heard(nowNanos);
            byte[] number = frames.length < FRAMES ? new byte[0] : frames[frames.length - 2];
            if (number.length == Long.BYTES && number(number) == -1) {
                endReplay();
                return;
            }
            List<KvEvent> events = decode(number, frames[frames.length - 1]);
            if (events == null) counters.malformed();
            else if (stream.replayed(number(number), events)) limit.moved(nowNanos);
        }
        String address = target.source().replay();
        if (address == null || limit.over(nowNanos)) {
            endReplay();
        } else if (limit.askAgain(nowNanos)) {
            asked.close();
            limit.askedAgain(nowNanos);
            ask(address);
        }
    }

    private void endReplay() {
        ZMQ.Socket asked = replay;
        if (asked == null) return;
        replay = null;
        asked.close();
        stream.replayEnded();
    }

    private @Nullable List<KvEvent> decode(byte[] number, byte[] payload) {
        if (number.length != Long.BYTES || number(number) < 0) return null;
        try {
            return KvEventDecoder.decode(payload);
        } catch (MalformedEventsException e) {
            return null;
        }
    }

    private static long number(byte[] frame) {
        return ByteBuffer.wrap(frame).getLong();
    }

    /** All frames of a message, at most four of them, or null when there is none. */
    private static byte @Nullable [][] receive(ZMQ.Socket socket) {
        byte[] first = socket.recv(ZMQ.DONTWAIT);
        if (first == null) return null;
        byte[][] frames = {first};
        while (socket.hasReceiveMore()) {
            byte[] next = socket.recv(ZMQ.DONTWAIT);
            if (next == null || frames.length > FRAMES) continue;
            frames = Arrays.copyOf(frames, frames.length + 1);
            frames[frames.length - 1] = next;
        }
        return frames;
    }

    /** Time passed: a part of what is held is to be said again. */
    void passed(long nanos) {
        if (changes.tooMany(blocks.prefixes())) {
            changes.cleared();
            blocks.visit(0, blocks.places(), changes::again);
            return;
        }
        double to = againAt + (double) nanos / AGAIN_NANOS;
        visit(againAt, Math.min(to, 1));
        if (to >= 1) visit(0, to - 1);
        againAt = to >= 1 ? to - 1 : to;
        counters.leftOut(blocks.leftOut() - leftOutTold);
        counters.gaps(stream.gaps() - gapsTold);
        leftOutTold = blocks.leftOut();
        gapsTold = stream.gaps();
    }

    private void visit(double from, double to) {
        blocks.visit((int) (from * blocks.places()), (int) (to * blocks.places()), changes::again);
    }

    PrefixChanges changes() {
        return changes;
    }

    @Override
    public void close() {
        endReplay();
        subscription.close();
        monitor.close();
    }
}
