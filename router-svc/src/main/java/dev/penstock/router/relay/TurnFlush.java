package dev.penstock.router.relay;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Sends what was written to an event loop's connections once the sockets of its turn have been read, and not at each write:
 * peers that sleep are then woken once for many messages, and chunks that came together leave in one system call. What waits is
 * sent in its own turn, so where one request runs at a time nothing is later. One event loop's.
 */
public final class TurnFlush {
    /** Connections: bounds the wait where a turn is long. With one message each, 32 take some 500 us. */
    static final int MOST_WAITING = 32;

    private final Queue<Held> waiting = new ArrayDeque<>(MOST_WAITING);
    private final Runnable endOfTurn = this::flushAll;

    /** On the connection's event loop; more often than once, as where HTTP/1.1 becomes HTTP/2, does no harm. */
    public void hold(HttpConnection connection) {
        if (connection instanceof ConnectionBase base) hold(base.channel());
    }

    void hold(Channel channel) {
        if (channel.pipeline().get(Held.class) == null) channel.pipeline().addFirst(new Held());
    }

    /** For who goes past the connection's handlers. */
    static void now(Channel channel) {
        Held held = channel.pipeline().get(Held.class);
        if (held != null) held.now();
    }

    private void flushAll() {
        Held each;
        while ((each = waiting.poll()) != null) each.now();
    }

    private final class Held extends ChannelDuplexHandler {
        @SuppressWarnings("NullAway.Init") // set when it is added, before anything else is called
        private ChannelHandlerContext context;

        private boolean waits;
        private boolean urgent;

        @Override
        public void handlerAdded(ChannelHandlerContext added) {
            context = added;
        }

        /** Nothing to write is how Vert.x sends at once, before it closes: what comes behind that is not to be read. */
        @Override
        public void write(ChannelHandlerContext same, Object message, ChannelPromise promise) {
            urgent |= message == Unpooled.EMPTY_BUFFER;
            same.write(message, promise);
        }

        @Override
        public void flush(ChannelHandlerContext same) {
            boolean first = !waits;
            waits = true;
            if (urgent) now();
            else if (first) await(same);
        }

        private void await(ChannelHandlerContext same) {
            waiting.add(this);
            if (waiting.size() == 1) same.executor().execute(endOfTurn);
            else if (waiting.size() == MOST_WAITING) flushAll();
        }

        /**
         * What a connection is told by its own reading leaves with it: if its peer has closed as well, Netty closes next, past all
         * handlers, and an answer of ours would be lost.
         */
        @Override
        public void channelReadComplete(ChannelHandlerContext same) {
            same.fireChannelReadComplete();
            now();
        }

        @Override
        public void close(ChannelHandlerContext same, ChannelPromise promise) {
            now();
            same.close(promise);
        }

        void now() {
            if (!waits) return;
            waits = false;
            urgent = false;
            context.flush();
        }
    }
}
