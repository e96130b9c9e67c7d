package dev.penstock.kit.listen;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.util.concurrent.Future;
import io.vertx.core.http.impl.Http1xOrH2CHandler;
import io.vertx.core.http.impl.Http1xUpgradeToH2CHandler;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Passes so few bytes first that Vert.x can tell HTTP/2 from HTTP/1.1 by them, but not see a header field yet: then
 * {@link FirstHead} is put before what would refuse a first request with an {@code Upgrade: h2c} that its {@code Connection}
 * does not name. Vert.x tells of a connection with its first request, so that whoever sends none is closed here.
 *
 * <pre>
 * bytes -> FirstBytes -> HTTP/2 or not                                 before the first byte
 * bytes -> decoder, encoder -> FirstHead -> upgrade to HTTP/2 -> ...    HTTP/1.1, until its first head
 * bytes -> decoder, encoder -> requests                                 from then on
 * </pre>
 */
final class FirstBytes extends ChannelInboundHandlerAdapter {
    /** As long as HTTP/2's preface; the shortest head of HTTP/1.1 that has this field is one of 29. */
    private static final int MOST = 24;

    private final long firstMillis;
    private @Nullable Future<?> late;
    private int passed;

    /** @param firstMillis what a connection has for its first head, or for the beginning of HTTP/2 */
    FirstBytes(long firstMillis) {
        this.firstMillis = firstMillis;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        late = context.executor().schedule(() -> late(context), firstMillis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!(message instanceof ByteBuf bytes)) {
            context.fireChannelRead(message);
            return;
        }
        int first = Math.min(MOST - passed, bytes.readableBytes());
        passed += first;
        context.fireChannelRead(bytes.readRetainedSlice(first));
        if (undecided(context)) {
            // There was no byte more.
            bytes.release();
            return;
        }
        handOver(context.pipeline());
        if (bytes.isReadable()) context.fireChannelRead(bytes);
        else bytes.release();
    }

    private void handOver(ChannelPipeline pipeline) {
        ChannelHandlerContext upgrading = pipeline.context(Http1xUpgradeToH2CHandler.class);
        if (upgrading != null && late != null) {
            pipeline.addBefore(upgrading.name(), null, new FirstHead(late));
            late = null;
        }
        pipeline.remove(this);
    }

    private static boolean undecided(ChannelHandlerContext context) {
        return context.pipeline().context(Http1xOrH2CHandler.class) != null;
    }

    /** What is not for HTTP may be silent. */
    private static void late(ChannelHandlerContext context) {
        if (undecided(context) || context.pipeline().context(FirstHead.class) != null) context.close();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        if (late != null) late.cancel(false);
    }
}
