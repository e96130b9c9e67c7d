package dev.penstock.router.ingress;

import dev.penstock.router.config.RouterConfig;
import io.vertx.core.http.HttpServerOptions;

/** How traffic is listened for: HTTP/1.1, and HTTP/2 in clear text for those who begin with it. */
final class ListenerOptions {
    /** Tokens, cookies and trace headers of a generous client; beyond it 431. */
    private static final int MOST_HEAD_BYTES = 64 << 10;

    private static final int LONGEST_LINE = 8 << 10;
    /** Large bodies come in parts of this size: fewer and larger is cheaper. */
    private static final int CHUNK_BYTES = 64 << 10;
    /** Streams of one HTTP/2 connection. */
    private static final long CONCURRENT_STREAMS = 1_024;

    private ListenerOptions() {}

    static HttpServerOptions of(RouterConfig config) {
        HttpServerOptions options = new HttpServerOptions()
                .setHost(config.host())
                .setPort(config.port())
                .setTcpNoDelay(true)
                .setTcpKeepAlive(true)
                // Their handlers would be passed by every request.
                .setPerMessageWebSocketCompressionSupported(false)
                .setPerFrameWebSocketCompressionSupported(false)
                .setMaxHeaderSize(MOST_HEAD_BYTES)
                .setMaxInitialLineLength(LONGEST_LINE)
                .setMaxChunkSize(CHUNK_BYTES)
                .setHandle100ContinueAutomatically(false)
                .setHttp2ClearTextEnabled(config.h2c())
                .setCompressionSupported(false);
        options.getInitialSettings().setMaxConcurrentStreams(CONCURRENT_STREAMS).setMaxHeaderListSize(MOST_HEAD_BYTES);
        return options;
    }
}
