package dev.penstock.enginesim.openai;

import dev.penstock.enginesim.engine.BodyDigest;
import dev.penstock.enginesim.engine.Ending;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/** An answer that the GPU has no part in, so that nothing is booked; its digest is kept like that of the others. */
public final class NotedAnswer {
    private final EngineParts engine;
    private final HttpServerRequest request;
    private final UnaryOperator<ErrorReply> envelope;

    /** @param envelope puts errors as this path's API has them */
    public NotedAnswer(EngineParts engine, HttpServerRequest request, UnaryOperator<ErrorReply> envelope) {
        this.engine = engine;
        this.request = request;
        this.envelope = envelope;
    }

    public void json(String json) {
        send(200, "application/json", json.getBytes(StandardCharsets.UTF_8));
    }

    public void refuse(ErrorReply reply) {
        ErrorReply put = envelope.apply(reply);
        send(put.status(), "application/json", put.json().getBytes(StandardCharsets.UTF_8));
    }

    public void send(int status, String contentType, byte[] body) {
        String id = request.getHeader("X-Request-Id");
        if (id != null) {
            BodyDigest digest = new BodyDigest();
            digest.update(body);
            engine.bodies().add(digest.ended(id, status < 400 ? Ending.COMPLETED : Ending.REJECTED));
        }
        if (!request.response().closed()) {
            request.response()
                    .setStatusCode(status)
                    .putHeader("content-type", contentType)
                    .end(Buffer.buffer(body));
        }
    }
}
