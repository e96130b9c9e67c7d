package dev.penstock.kit.listen;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.util.concurrent.Future;
import java.util.List;

/**
 * Takes {@code Upgrade: h2c} out of a connection's first request: to ignore it is always allowed, and who wants HTTP/2 begins
 * with it. Other upgrades stay.
 */
final class FirstHead extends ChannelInboundHandlerAdapter {
    private static final String H2C = "h2c";

    private final Future<?> late;

    /** @param late closes the connection, unless it is cancelled */
    FirstHead(Future<?> late) {
        this.late = late;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest request) {
            HttpHeaders headers = request.headers();
            if (headers.containsValue(HttpHeaderNames.UPGRADE, H2C, true)) withoutH2c(headers);
            context.pipeline().remove(this);
        }
        context.fireChannelRead(message);
    }

    private static void withoutH2c(HttpHeaders headers) {
        List<String> all = headers.getAll(HttpHeaderNames.UPGRADE);
        headers.remove(HttpHeaderNames.UPGRADE);
        for (String each : all) if (!each.equalsIgnoreCase(H2C)) headers.add(HttpHeaderNames.UPGRADE, each);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        late.cancel(false);
    }
}
