package dev.penstock.enginesim.openai;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpServerConnection;

/** Ending connections the hard way, for which Vert.x has no call. */
public final class Connections {
    private Connections() {}

    /** Sends a reset instead of the orderly end. What was written just before may be lost, as in life. */
    public static void reset(HttpConnection connection) {
        Channel channel =
                ((HttpServerConnection) connection).channelHandlerContext().channel();
        channel.config().setOption(ChannelOption.SO_LINGER, 0);
        channel.close();
    }
}
