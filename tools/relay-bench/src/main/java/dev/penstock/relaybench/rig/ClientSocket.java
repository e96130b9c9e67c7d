package dev.penstock.relaybench.rig;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** A client with one connection and at most one request on it. Connects again when the contender closed it. */
final class ClientSocket implements Socket {
    private static final int ABORT_AFTER_EVENTS = 5;

    private final Rig rig;
    private final Selector selector;
    private final InetSocketAddress contender;
    private final int index;
    private final MessageReader reader = new MessageReader();
    private final ByteBuffer plain;
    private final ByteBuffer streaming;
    private @Nullable SocketChannel channel;
    private @Nullable SelectionKey key;
    private ByteBuffer unsent;
    private boolean busy;
    private boolean abort;
    private long scheduledNanos;
    private int events;

    ClientSocket(Rig rig, Selector selector, Load load, int index) {
        this.rig = rig;
        this.selector = selector;
        this.contender = new InetSocketAddress(InetAddress.getLoopbackAddress(), load.port());
        this.index = index;
        this.plain = Bodies.request(index, load.bodyBytes(), false);
        this.streaming = Bodies.request(index, load.bodyBytes(), true);
        this.unsent = plain;
        connectEarly();
    }

    /** Before the first request, so that it does not pay for it; where that fails the request will tell. */
    private void connectEarly() {
        try {
            connect();
        } catch (IOException refused) {
            channel = null;
        }
    }

    int index() {
        return index;
    }

    private SocketChannel connect() throws IOException {
        SocketChannel fresh = SocketChannel.open(contender);
        channel = fresh;
        fresh.configureBlocking(false);
        fresh.setOption(StandardSocketOptions.TCP_NODELAY, true);
        key = fresh.register(selector, SelectionKey.OP_READ, this);
        return fresh;
    }

    /** @param abandon close before the answer is complete */
    void send(long scheduled, boolean stream, boolean abandon) {
        busy = true;
        abort = abandon;
        scheduledNanos = scheduled;
        events = 0;
        reader.clear();
        unsent = (stream ? streaming : plain).duplicate();
        try {
            write(channel == null || !channel.isOpen() ? connect() : channel);
            if (abandon && !stream) abandon();
        } catch (IOException gone) {
            failed();
        }
    }

    private void write(SocketChannel to) throws IOException {
        to.write(unsent);
        SelectionKey registered = key;
        if (registered == null) return;
        registered.interestOps(
                unsent.hasRemaining() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
    }

    @Override
    public void ready() {
        SocketChannel open = channel;
        SelectionKey registered = key;
        if (open == null || registered == null) return;
        try {
            if (registered.isValid() && registered.isWritable()) write(open);
            if (registered.isValid() && registered.isReadable()) read(open);
        } catch (IOException gone) {
            failed();
        }
    }

    private void read(SocketChannel from) throws IOException {
        ByteBuffer scratch = rig.scratch.clear();
        int count = from.read(scratch);
        if (count < 0) {
            failed();
            return;
        }
        if (count == 0 || !busy) return;
        boolean complete = reader.feed(scratch.flip());
        int fresh = reader.events() - events;
        if (fresh > 0) {
            if (events == 0) rig.stats.firstEvent(scheduledNanos);
            events += fresh;
            rig.stats.events(fresh);
            rig.received(index, fresh);
        }
        if (complete) {
            busy = false;
            if (reader.status() == 200) rig.stats.answered(scheduledNanos);
            else rig.stats.failed("status " + reader.status());
            rig.done(this);
        } else if (abort && events >= ABORT_AFTER_EVENTS) abandon();
    }

    private void abandon() {
        busy = false;
        close();
        rig.stats.abandoned();
        rig.done(this);
    }

    private void failed() {
        close();
        if (!busy) return;
        busy = false;
        rig.stats.failed("connection closed after " + reader.kept() + " bytes");
        rig.done(this);
    }

    void close() {
        if (channel != null) Rig.closeQuietly(channel);
        channel = null;
    }
}
