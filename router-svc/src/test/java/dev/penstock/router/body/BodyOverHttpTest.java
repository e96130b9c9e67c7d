package dev.penstock.router.body;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.Sha256;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BodyOverHttpTest {
    private static final int CHUNK = 64 * 1024;
    private static final int CHUNKS = 64;

    @Test
    void an_engine_gets_the_body_each_time_it_is_sent() throws Exception {
        RequestBody body = new RequestBody();
        Buffer all = Buffer.buffer();
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < CHUNKS; i++) {
            byte[] chunk = new byte[CHUNK];
            random.nextBytes(chunk);
            body.add(Buffer.buffer(chunk));
            all.appendBytes(chunk);
        }
        List<Splice> splices = List.of(new Splice(CHUNK - 10, CHUNK + 10, new byte[] {1, 2, 3}));
        Buffer spliced = Buffer.buffer()
                .appendBuffer(all, 0, CHUNK - 10)
                .appendBytes(new byte[] {1, 2, 3})
                .appendBuffer(all, CHUNK + 10, all.length() - CHUNK - 10);

        Vertx vertx = Vertx.vertx();
        try {
            HttpServer engine = vertx.createHttpServer()
                    .requestHandler(request -> request.body()
                            .onSuccess(received -> request.response().end(Sha256.hex(received.getBytes()))))
                    .listen(0, "127.0.0.1")
                    .await(10, TimeUnit.SECONDS);
            HttpClient client = vertx.createHttpClient();
            for (List<Splice> each : List.of(splices, List.<Splice>of(), splices)) {
                String answer = client.request(HttpMethod.POST, engine.actualPort(), "127.0.0.1", "/")
                        .compose(request -> send(request, body, each))
                        .await(20, TimeUnit.SECONDS);
                assertThat(answer).isEqualTo(Sha256.hex((each.isEmpty() ? all : spliced).getBytes()));
            }
        } finally {
            vertx.close().await(10, TimeUnit.SECONDS);
        }
    }

    private static Future<String> send(HttpClientRequest request, RequestBody body, List<Splice> splices) {
        request.putHeader("content-length", Long.toString(body.lengthWith(splices)));
        return body.writeTo(request, splices)
                .compose(written -> request.end())
                .compose(ended -> request.response())
                .compose(response -> response.body())
                .map(Buffer::toString);
    }
}
