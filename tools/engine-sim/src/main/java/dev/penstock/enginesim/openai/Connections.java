package dev.penstock.enginesim.openai;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameEncoder;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpServerConnection;

/** Ending connections the hard way, for which Vert.x has no call. */
public final class Connections {
    private Connections() {}

    /** Sends a reset instead of the orderly end. What was written just before may be lost, as in life. */
    public static void reset(HttpConnection connection) {
        Channel channel = channel(connection);
        channel.config().setOption(ChannelOption.SO_LINGER, 0);
        end(channel);
    }

    /** Ends it without a word of the protocol that it speaks. */
    public static void close(HttpConnection connection) {
        end(channel(connection));
    }

    /** Runs this when it has ended, also if it has become a WebSocket, which its close handler does not hear of. */
    public static void whenClosed(HttpConnection connection, Runnable ended) {
        channel(connection).closeFuture().addListener(_ -> ended.run());
    }

    /** A WebSocket's handlers would send a close frame first. */
    private static void end(Channel channel) {
        if (channel.pipeline().get(WebSocket13FrameEncoder.class) == null) {
            channel.close();
        } else {
            channel.pipeline().firstContext().close();
        }
    }

    private static Channel channel(HttpConnection connection) {
        return ((HttpServerConnection) connection).channelHandlerContext().channel();
    }
}
