package dev.penstock.router.cases;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketFrame;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** An engine that gives back each frame as it came, closes when told to, and floods when told to. */
final class WebSocketEngine implements AutoCloseable {
    /** A text that makes it close with a code of its own. */
    static final String CLOSE = "close";
    /** A text that makes it send frames until it has sent {@link #FLOOD_BYTES}. */
    static final String FLOOD = "flood";

    static final int FLOOD_BYTES = 64 << 20;
    static final int FLOOD_FRAME = 64 << 10;
    static final short OWN_CODE = 4001;
    private static final int MOST = 64 << 20;

    private final Vertx vertx;
    private final HttpServer server;
    private final List<String> frames = new CopyOnWriteArrayList<>();
    private final List<Short> closes = new CopyOnWriteArrayList<>();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicLong flooded = new AtomicLong();

    private WebSocketEngine(Vertx vertx) throws Exception {
        this.vertx = vertx;
        server = vertx.createHttpServer(new HttpServerOptions()
                        .setHost("127.0.0.1")
                        .setPort(0)
                        .setMaxWebSocketFrameSize(MOST)
                        .setMaxWebSocketMessageSize(MOST))
                .webSocketHandler(this::opened);
        server.listen().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    static WebSocketEngine start(Vertx vertx) throws Exception {
        return new WebSocketEngine(vertx);
    }

    int port() {
        return server.actualPort();
    }

    /** What came: kind, last or not, length. */
    List<String> frames() {
        return frames;
    }

    /** With which codes sessions ended. */
    List<Short> closes() {
        return closes;
    }

    int open() {
        return open.get();
    }

    /** Bytes of a flood that have left it. */
    long flooded() {
        return flooded.get();
    }

    @Override
    public void close() throws Exception {
        server.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private void opened(ServerWebSocket socket) {
        open.incrementAndGet();
        socket.frameHandler(frame -> came(socket, frame));
        socket.exceptionHandler(failure -> {});
        socket.closeHandler(closed -> {
            open.decrementAndGet();
            closes.add(socket.closeStatusCode() == null ? (short) 1006 : socket.closeStatusCode());
        });
    }

    private void came(ServerWebSocket socket, WebSocketFrame frame) {
        if (frame.isClose()) return;
        frames.add(frame.type() + " " + (frame.isFinal() ? "last " : "more ")
                + frame.binaryData().length());
        if (frame.isText() && frame.textData().equals(CLOSE)) socket.close(OWN_CODE, "told to");
        else if (frame.isText() && frame.textData().equals(FLOOD)) flood(socket);
        else if (!frame.isPing()) socket.writeFrame(frame);
    }

    private void flood(ServerWebSocket socket) {
        while (flooded.get() < FLOOD_BYTES) {
            if (socket.writeQueueFull()) {
                socket.drainHandler(drained -> flood(socket));
                return;
            }
            socket.writeFinalBinaryFrame(Buffer.buffer(new byte[FLOOD_FRAME]));
            flooded.addAndGet(FLOOD_FRAME);
        }
    }
}
