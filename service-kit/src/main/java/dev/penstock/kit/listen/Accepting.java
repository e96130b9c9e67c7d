package dev.penstock.kit.listen;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** In a listener, whose messages are the connections it has accepted: before whoever makes anything else of them. */
@Sharable
final class Accepting extends ChannelInboundHandlerAdapter {
    private final long firstMillis;

    /** @param firstMillis what a connection has for the head of its first request */
    Accepting(long firstMillis) {
        this.firstMillis = firstMillis;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object accepted) {
        if (accepted instanceof Channel connection) connection.pipeline().addLast(new FirstBytes(firstMillis));
        context.fireChannelRead(accepted);
    }
}
