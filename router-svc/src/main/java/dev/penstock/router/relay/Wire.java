package dev.penstock.router.relay;

import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.socket.DuplexChannel;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpClientConnectionInternal;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.impl.ConnectionBase;

/** What Vert.x has no API for on HTTP/1.1: the channel is taken from its connection type. */
public final class Wire {
    /** An answer's head with its first event. */
    private static final int LEAST_READ_BYTES = 2_048;

    private static final int MOST_READ_BYTES = 64 << 10;
    private static final RecvByteBufAllocator READS =
            new AdaptiveRecvByteBufAllocator(LEAST_READ_BYTES, LEAST_READ_BYTES, MOST_READ_BYTES);

    private Wire() {}

    /**
     * Reads at least 2 kB at a time. Netty's guess shrinks to the size of a stream's events, and what is longer, as a head with
     * the first event, is then cut: two reads, two chunks, two writes, and an event to be put together.
     */
    static void readWhole(HttpConnection connection) {
        if (connection instanceof ConnectionBase base) base.channel().config().setRecvByteBufAllocator(READS);
    }

    /**
     * Tells a peer that nobody waits, and goes on listening: its own FIN or RST then says that it noticed. Returns false where
     * the connection can't be closed by half.
     */
    static boolean halfClose(HttpConnection connection) {
        if (!(connection instanceof ConnectionBase base)) return false;
        Channel channel = base.channel();
        if (!(channel instanceof DuplexChannel duplex) || !channel.isActive()) return false;
        TurnFlush.now(channel);
        duplex.shutdownOutput();
        return true;
    }

    /** Sends what was written, and does not wait for the end of the event loop's turn. */
    static void flush(HttpConnection connection) {
        if (connection instanceof ConnectionBase base) TurnFlush.now(base.channel());
    }

    /** True when nothing is on its way to us any more, though an answer's end may wait for a slow client. */
    static boolean isIdle(HttpConnection connection) {
        return connection instanceof HttpClientConnectionInternal internal && internal.activeStreams() == 0;
    }

    /**
     * Reads on, or not before told so. Pausing a response instead would pass what it still holds: an engine that closed behind
     * its answer would be told before the answer's rest.
     */
    static void read(HttpConnection connection, boolean on) {
        if (connection instanceof ConnectionBase base && base.channel().isOpen())
            base.channel().config().setAutoRead(on);
    }

    /**
     * Resets a connection whose peer may not read: {@code close} first waits until everything is written, which then is never.
     */
    public static void cut(HttpConnection connection) {
        if (connection instanceof ConnectionBase base) cut(base);
        else connection.close();
    }

    /** The same where a connection has become a socket. */
    public static void cut(NetSocket socket) {
        if (socket instanceof ConnectionBase base) cut(base);
        else socket.close();
    }

    private static void cut(ConnectionBase base) {
        if (!base.channel().isOpen()) return;
        base.channel().config().setOption(ChannelOption.SO_LINGER, 0);
        // From this context on: the connection's own handler, which would wait, is not asked.
        base.channelHandlerContext().close();
    }
}
