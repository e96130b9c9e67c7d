package dev.penstock.router.ingress;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.penstock.model.RelayPolicy;
import dev.penstock.router.api.Endpoint;
import dev.penstock.router.body.BodyWrite;
import dev.penstock.router.body.Peek;
import dev.penstock.router.body.RequestBody;
import dev.penstock.router.body.Splice;
import dev.penstock.router.relay.Cargo;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A JSON body that is held until its request is over, so that it can be sent again. Its bytes go out as they came, but for what
 * is spliced: the engines' name of the model, a default for the longest answer, the name by which SGLang stops a request.
 */
final class JsonCargo implements Cargo {
    private final RequestBody body;
    private final BodyMemory.Share share;
    private final Peek.Peeked peeked;
    private final List<Splice> splices;
    private @Nullable BodyWrite writing;
    private boolean sent;

    private JsonCargo(RequestBody body, BodyMemory.Share share, Peek.Peeked peeked, List<Splice> splices) {
        this.body = body;
        this.share = share;
        this.peeked = peeked;
        this.splices = splices;
    }

    static JsonCargo of(
            RequestBody body,
            BodyMemory.Share share,
            Peek.Peeked peeked,
            String model,
            RelayPolicy policy,
            Endpoint endpoint) {
        boolean renamed = !model.equals(peeked.model());
        boolean limited = policy.defaultMaxTokens() > 0 && !peeked.hasMaxTokens() && maxTokensField(endpoint) != null;
        if (!renamed && !limited) return new JsonCargo(body, share, peeked, List.of());
        List<Splice> splices = new ArrayList<>(2);
        if (limited) {
            splices.add(inserted(peeked, '"' + maxTokensField(endpoint) + "\":" + policy.defaultMaxTokens() + ','));
        }
        if (renamed) splices.add(new Splice(peeked.modelStart(), peeked.modelEnd(), quoted(model)));
        return new JsonCargo(body, share, peeked, splices);
    }

    /** The same with another text in the place of a string. */
    JsonCargo with(long from, long to, String text) {
        List<Splice> more = new ArrayList<>(splices);
        more.add(new Splice(from, to, quoted(text)));
        more.sort(Comparator.comparingLong(Splice::from));
        return new JsonCargo(body, share, peeked, more);
    }

    /** What the endpoint calls the longest answer, or null where answers have no length. */
    private static @Nullable String maxTokensField(Endpoint endpoint) {
        return switch (endpoint) {
            case CHAT, COMPLETIONS -> "max_tokens";
            case RESPONSES -> "max_output_tokens";
            default -> null;
        };
    }

    /** A body has its model at least: what is put first is followed by something. */
    private static Splice inserted(Peek.Peeked peeked, String field) {
        return new Splice(peeked.objectStart(), peeked.objectStart(), field.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] quoted(String text) {
        return ('"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"')
                .getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public boolean replayable() {
        return true;
    }

    @Override
    public long bytes() {
        return body.length();
    }

    @Override
    public Future<HttpClientResponse> send(HttpClientRequest request, UpstreamId id) {
        stopWriting();
        List<Splice> all = id.inBody() ? withId(id.text()) : splices;
        Buffer single = body.single(all);
        if (single != null) {
            sent = true;
            return request.send(single);
        }
        sent = false;
        request.headers().set(Headers.CONTENT_LENGTH, Long.toString(body.lengthWith(all)));
        Future<HttpClientResponse> answer = request.response();
        BodyWrite write = body.write(request, all);
        writing = write;
        write.done().onSuccess(written -> {
            sent = true;
            request.end();
        });
        return answer;
    }

    /** The attempt before was answered in the middle of its body: nobody takes the rest. */
    private void stopWriting() {
        if (writing == null) return;
        writing.stop();
        writing = null;
    }

    /** A client's own id stays a client's: engines must not be told two requests of one name. */
    private List<Splice> withId(String id) {
        List<Splice> all = new ArrayList<>(splices);
        if (peeked.ridStart() >= 0) all.add(new Splice(peeked.ridStart(), peeked.ridEnd(), quoted(id)));
        else all.add(inserted(peeked, "\"rid\":\"" + id + "\","));
        all.sort(Comparator.comparingLong(Splice::from));
        return all;
    }

    @Override
    public boolean sent() {
        return sent;
    }

    @Override
    public void release() {
        stopWriting();
        share.release();
        body.clear();
    }
}
