package dev.penstock.relaybench;

import io.netty.util.AsciiString;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.util.List;
import java.util.Map;

/**
 * The least a relay on Vert.x can do: one upstream, connections that live on the listener's event loop, hop-by-hop headers
 * left out, back-pressure both ways, and a client that leaves takes its request with it. Decides, counts and remembers
 * nothing.
 */
final class BareRelay extends VerticleBase {
    private static final int CONNECTIONS = 2_048;

    private static final List<CharSequence> NOT_FORWARDED = List.of(
            AsciiString.cached("connection"),
            AsciiString.cached("keep-alive"),
            AsciiString.cached("proxy-authenticate"),
            AsciiString.cached("proxy-authorization"),
            AsciiString.cached("te"),
            AsciiString.cached("trailer"),
            AsciiString.cached("transfer-encoding"),
            AsciiString.cached("upgrade"),
            AsciiString.cached("host"));

    private final int port;
    private final RequestOptions upstream;
    private HttpClientAgent client;

    @SuppressWarnings("NullAway.Init") // set in start, before anything else is called
    BareRelay(int port, SocketAddress upstream) {
        this.port = port;
        this.upstream = new RequestOptions()
                .setServer(upstream)
                .setHost(upstream.host())
                .setPort(upstream.port());
    }

    @Override
    public Future<?> start() {
        client = vertx.createHttpClient(
                new HttpClientOptions()
                        .setPipelining(false)
                        .setDecompressionSupported(false)
                        .setTcpNoDelay(true),
                new PoolOptions().setHttp1MaxSize(CONNECTIONS).setMaxWaitQueueSize(CONNECTIONS));
        return vertx.createHttpServer(new HttpServerOptions()
                        .setHost("127.0.0.1")
                        .setPort(port)
                        .setTcpNoDelay(true)
                        .setHttp2ClearTextEnabled(false)
                        .setCompressionSupported(false))
                .requestHandler(this::relay)
                .listen();
    }

    private void relay(HttpServerRequest from) {
        from.pause();
        client.request(new RequestOptions(upstream).setMethod(from.method()).setURI(from.uri()))
                .onComplete(to -> send(from, to), failure -> refuse(from.response()));
    }

    private static void send(HttpServerRequest from, HttpClientRequest to) {
        HttpServerResponse back = from.response();
        back.closeHandler(left -> to.reset());
        back.exceptionHandler(left -> to.reset());
        to.exceptionHandler(broken -> refuse(back));
        copy(from.headers(), to.headers());
        if (!to.headers().contains("content-length")) to.setChunked(true);
        to.response().onComplete(answer -> answer(answer, back), failure -> refuse(back));
        from.handler(chunk -> {
            to.write(chunk);
            if (to.writeQueueFull()) {
                from.pause();
                to.drainHandler(drained -> from.resume());
            }
        });
        from.endHandler(end -> to.end());
        from.resume();
    }

    private static void answer(HttpClientResponse answer, HttpServerResponse back) {
        back.setStatusCode(answer.statusCode());
        copy(answer.headers(), back.headers());
        if (!back.headers().contains("content-length")) back.setChunked(true);
        answer.handler(chunk -> {
            back.write(chunk);
            if (back.writeQueueFull()) {
                answer.pause();
                back.drainHandler(drained -> answer.resume());
            }
        });
        answer.endHandler(end -> back.end());
        answer.exceptionHandler(broken -> back.reset());
    }

    private static void copy(MultiMap from, MultiMap to) {
        for (Map.Entry<String, String> header : from) {
            if (forwarded(header.getKey())) to.add(header.getKey(), header.getValue());
        }
    }

    private static boolean forwarded(String name) {
        for (CharSequence each : NOT_FORWARDED) {
            if (AsciiString.contentEqualsIgnoreCase(each, name)) return false;
        }
        return true;
    }

    private static void refuse(HttpServerResponse back) {
        if (!back.headWritten() && !back.closed()) back.setStatusCode(502).end();
    }
}
