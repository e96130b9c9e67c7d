package dev.penstock.router.relay;

import io.netty.channel.ChannelHandlerContext;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * Closes a connection whose peer may read no more: {@code close} first writes what is queued, and would wait for that as long
 * as the peer lives. Vert.x has no API for this, so the channel is taken from its connection type.
 */
public final class HardClose {
    private HardClose() {}

    /** @param connection an {@code HttpConnection}, or a socket that was one */
    public static void of(Object connection) {
        if (!(connection instanceof ConnectionBase base)) return;
        ChannelHandlerContext first = base.channel().pipeline().firstContext();
        // Before all handlers: they are what would wait.
        if (first != null) first.close();
        else base.channel().close();
    }
}
