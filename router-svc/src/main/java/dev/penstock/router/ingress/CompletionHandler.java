package dev.penstock.router.ingress;

import dev.penstock.kit.log.LogKeys;
import dev.penstock.router.relay.Exchange;
import dev.penstock.router.relay.Upstreams;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes one request of a generation endpoint from its first byte to an {@link Exchange}. One per event loop. */
final class CompletionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(CompletionHandler.class);

    private final BodyMemory memory;
    private final long maxBody;
    private final RequestIds ids;
    private final ModelNames names;
    private final Upstreams upstreams;
    private final Supplier<Set<String>> sessionFields;
    private final BodyFacts facts = new BodyFacts();

    /** @param sessionFields those that may name a session, of all models */
    CompletionHandler(
            BodyMemory memory,
            long maxBody,
            RequestIds ids,
            ModelNames names,
            Upstreams upstreams,
            Supplier<Set<String>> sessionFields) {
        this.memory = memory;
        this.maxBody = maxBody;
        this.ids = ids;
        this.names = names;
        this.upstreams = upstreams;
        this.sessionFields = sessionFields;
    }

    void handle(HttpServerRequest request) {
        long number = ids.next();
        String id = ids.of(number);
        request.response().putHeader("x-request-id", id);
        new Collecting(request, number, id).start();
    }

    /** A body on its way in: bounded by itself and together with all others. */
    private final class Collecting {
        private final HttpServerRequest request;
        private final long number;
        private final String id;
        private Buffer body = Buffer.buffer();
        private long reserved;
        private boolean over;

        Collecting(HttpServerRequest request, long number, String id) {
            this.request = request;
            this.number = number;
            this.id = id;
        }

        void start() {
            request.exceptionHandler(gone -> release());
            request.handler(this::chunk);
            request.endHandler(end -> peekSafely());
        }

        private void chunk(Buffer chunk) {
            if (over) return;
            if (body.length() + (long) chunk.length() > maxBody) refuse(ApiError.bodyTooLarge(maxBody));
            else if (!memory.tryReserve(chunk.length())) refuse(ApiError.routerBusy());
            else {
                reserved += chunk.length();
                body.appendBuffer(chunk);
            }
        }

        /** The rest of the body is not read: the connection closes after the answer. */
        private void refuse(ApiError error) {
            over = true;
            release();
            request.response().putHeader("connection", "close");
            error.send(request.response());
        }

        /** A bug of ours must not leave the client without an answer, nor the body in memory. */
        private void peekSafely() {
            try {
                peek();
            } catch (RuntimeException bug) {
                LOG.atError().setCause(bug).addKeyValue(LogKeys.REQUEST, id).log("request failed in the router");
                release();
                ApiError.internal().send(request.response());
            } finally {
                facts.clear();
            }
        }

        private void peek() {
            if (over) return;
            switch (RequestPeek.of(body.getBytes(), sessionFields.get(), facts)) {
                case RequestPeek.Invalid invalid -> {
                    release();
                    ApiError.invalidRequest(invalid.message(), invalid.param()).send(request.response());
                }
                case RequestPeek.Peeked peeked -> start(peeked, names.resolve(peeked.model()));
            }
        }

        private void start(RequestPeek.Peeked peeked, String model) {
            Buffer sent = model.equals(peeked.model()) ? body : ModelNames.spliced(body, peeked, model);
            new Exchange(upstreams, request, number, id, sent, model, peeked.stream(), facts, this::release).start();
        }

        private void release() {
            memory.release(reserved);
            reserved = 0;
            body = Buffer.buffer();
        }
    }
}
