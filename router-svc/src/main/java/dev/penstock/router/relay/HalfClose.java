package dev.penstock.router.relay;

import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannel;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * Tells an engine that nobody waits, and goes on listening: its own FIN or RST then says that it noticed. Vert.x has no API for
 * this on HTTP/1.1, so the channel is taken from its connection type.
 */
final class HalfClose {
    private HalfClose() {}

    /** Returns false where the connection can't be closed by half. */
    static boolean of(HttpConnection connection) {
        if (!(connection instanceof ConnectionBase base)) return false;
        Channel channel = base.channel();
        if (!(channel instanceof DuplexChannel duplex) || !channel.isActive()) return false;
        duplex.shutdownOutput();
        return true;
    }
}
