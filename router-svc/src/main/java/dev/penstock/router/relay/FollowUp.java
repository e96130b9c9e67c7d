package dev.penstock.router.relay;

import dev.penstock.core.view.ReplicaEntry;
import dev.penstock.router.api.ApiError;
import dev.penstock.router.api.EngineError;
import io.netty.util.AsciiString;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import org.jspecify.annotations.Nullable;

/**
 * A request about what one replica has: to that replica, or to nobody. Nothing is generated, so it is not in flight there and
 * says nothing of the replica's health, but for a connect that fails. Lives on one event loop.
 */
public final class FollowUp extends Watch.Member {
    private static final AsciiString CONTENT_ENCODING = AsciiString.cached("content-encoding");
    private static final AsciiString CONTENT_LENGTH = AsciiString.cached("content-length");
    private static final AsciiString CONTENT_TYPE = AsciiString.cached("content-type");
    private static final String DECISION = "owner";
    private static final long NANOS_PER_MILLI = 1_000_000;
    /** To look something up takes milliseconds; clients give up after 60 s at most. */
    private static final long HEAD_NANOS = 30_000 * NANOS_PER_MILLI;

    private static final int MOST_GATHERED = 64 << 10;

    private final Upstreams upstreams;
    private final Asked asked;
    private final ReplicaEntry owner;
    private final HttpMethod method;
    private final About about;
    private final ToClient toClient;
    private final long idleNanos;
    private @Nullable HttpClientRequest request;
    private @Nullable AnswerRewrite rewrite;
    /** A body that is sent as one, or null. */
    private @Nullable Buffer gathered;

    private long lastByteNanos;
    private boolean answered;
    private boolean reused;
    private boolean resetRetried;
    private boolean over;

    /** What it is about, and who wants to know how it ended. */
    public interface About {
        /** For an answer in JSON or in events. */
        AnswerRewrite rewrite(boolean eventStream);

        /** An engine's error with our names in it. */
        Buffer renamed(Buffer error);

        /**
         * Called once, unless the client left.
         *
         * @param status what the engine said, 0 when it said nothing
         */
        void ended(int status);
    }

    /** @param asked with the path at the engine */
    public FollowUp(Upstreams upstreams, Asked asked, ReplicaEntry owner, HttpMethod method, About about) {
        this.upstreams = upstreams;
        this.asked = asked;
        this.owner = owner;
        this.method = method;
        this.about = about;
        this.toClient = new ToClient(asked, 0);
        this.idleNanos = upstreams.policies.of(asked.model()).idleMillis() * NANOS_PER_MILLI;
        this.lastByteNanos = upstreams.nanoClock.getAsLong();
    }

    public void start() {
        HttpServerResponse response = asked.client().response();
        response.exceptionHandler(gone -> clientLeft());
        response.closeHandler(gone -> clientLeft());
        upstreams.watch.join(this);
        connect();
    }

    private void connect() {
        upstreams
                .connect(method, owner.replica().endpoint(), asked.uri(), resetRetried)
                .onComplete(this::connected, this::connectFailed);
    }

    private void connectFailed(Throwable cause) {
        upstreams.outcomes.connectFailed(owner, cause, upstreams.nanoClock.getAsLong());
        fail(ApiError.unreachable(asked.model()));
    }

    private void connected(HttpClientRequest out) {
        if (over) {
            out.reset();
            return;
        }
        request = out;
        reused = upstreams.line(out.connection()).next() > 1;
        MultiMap headers = out.headers();
        ForwardedHeaders.toEngine(asked.client().headers(), headers);
        // What is compressed can't be given our ids.
        headers.remove(RelayHeaders.ACCEPT_ENCODING);
        headers.set(RelayHeaders.REQUEST_ID, asked.id() + "-a1");
        if (method == HttpMethod.POST) headers.set(CONTENT_LENGTH, "0");
        heard();
        out.exceptionHandler(this::broken);
        out.send().onComplete(this::answered, this::broken);
    }

    private void broken(Throwable cause) {
        if (over) return;
        if (!answered && reused && method == HttpMethod.GET) {
            // Engines close idle connections; to ask again does no harm.
            resetRetried = true;
            connect();
        } else fail(answered ? ApiError.streamFailed() : ApiError.upstreamFailed());
    }

    private void answered(HttpClientResponse response) {
        if (over) return;
        answered = true;
        heard();
        boolean readable = !response.headers().contains(CONTENT_ENCODING);
        boolean json = isType(response, "application/json");
        boolean events = isType(response, "text/event-stream");
        boolean error = response.statusCode() >= 400;
        if (!error && readable && (json || events)) rewrite = about.rewrite(events);
        if (error || json) gathered = Buffer.buffer();
        else head(response, events);
        response.handler(chunk -> chunk(response, chunk));
        response.exceptionHandler(this::broken);
        response.endHandler(end -> ended(response));
    }

    private static boolean isType(HttpClientResponse response, String type) {
        String told = response.headers().get(CONTENT_TYPE);
        return told != null && told.regionMatches(true, 0, type, 0, type.length());
    }

    private void head(HttpClientResponse response, boolean events) {
        toClient.head(
                response.statusCode(),
                response.headers(),
                events,
                owner.replica().name(),
                DECISION);
        if (rewrite != null) toClient.unknownLength();
    }

    private void chunk(HttpClientResponse response, Buffer came) {
        if (over) return;
        heard();
        Buffer whole = gathered;
        if (whole == null) write(response, rewritten(came));
        else if (response.statusCode() >= 400) {
            // An error that is longer is told in our words.
            if (whole.length() <= MOST_GATHERED) whole.appendBuffer(came);
        } else {
            whole.appendBuffer(rewritten(came));
            if (whole.length() <= MOST_GATHERED) return;
            gathered = null;
            head(response, false);
            write(response, whole);
        }
    }

    private Buffer rewritten(Buffer came) {
        return rewrite == null ? came : rewrite.feed(came);
    }

    private void write(HttpClientResponse response, Buffer chunk) {
        if (chunk.length() == 0 || toClient.write(chunk)) return;
        response.pause();
        toClient.whenReady(upstreams.nanoClock.getAsLong(), () -> {
            heard();
            response.resume();
        });
    }

    private void ended(HttpClientResponse response) {
        if (over) return;
        done();
        Buffer whole = gathered;
        if (whole != null && response.statusCode() >= 400) error(response, whole);
        else if (whole != null) {
            head(response, false);
            if (rewrite != null) whole.appendBuffer(rewrite.end());
            toClient.end(whole, null);
        } else toClient.end(rewrite == null ? null : rewrite.end(), response.trailers());
        about.ended(response.statusCode());
    }

    private void error(HttpClientResponse response, Buffer body) {
        int status = response.statusCode();
        boolean readable = !response.headers().contains(CONTENT_ENCODING) && body.length() <= MOST_GATHERED;
        if (!readable) {
            toClient.refuse(ApiError.ofEngine(status));
            return;
        }
        head(response, false);
        Buffer renamed = about.renamed(body);
        Buffer wrapped =
                EngineError.normalised(status, renamed, asked.endpoint().envelope());
        MultiMap headers = asked.client().response().headers();
        if (wrapped != null) headers.set(CONTENT_TYPE, "application/json");
        Buffer sent = wrapped == null ? renamed : wrapped;
        headers.set(CONTENT_LENGTH, Integer.toString(sent.length()));
        toClient.end(sent, null);
    }

    /** Ends it from our side. */
    private void fail(ApiError error) {
        if (over) return;
        done();
        if (request != null) request.reset();
        // Where a stream broke off is not known; an empty line more does no harm.
        toClient.fail(error, "\n\n");
        about.ended(0);
    }

    private void clientLeft() {
        if (over) return;
        done();
        if (request != null) request.reset();
    }

    private void done() {
        over = true;
        upstreams.watch.leave(this);
    }

    private void heard() {
        lastByteNanos = upstreams.nanoClock.getAsLong();
    }

    @Override
    protected void look(long nowNanos) {
        if (toClient.waits()) {
            if (toClient.stuck(nowNanos, idleNanos / NANOS_PER_MILLI)) {
                toClient.cut();
                clientLeft();
            }
        } else if (nowNanos - lastByteNanos > (answered ? idleNanos : HEAD_NANOS)) {
            fail(ApiError.upstreamTimeout());
        }
    }

    @Override
    protected HttpConnection connection() {
        return asked.client().connection();
    }

    @Override
    protected void stopping() {
        fail(ApiError.shuttingDown());
    }
}
