package dev.penstock.enginesim.media;

import dev.penstock.enginesim.engine.BodyDigest;
import dev.penstock.enginesim.engine.Ending;
import dev.penstock.enginesim.engine.ReceivedForm;
import dev.penstock.enginesim.engine.SentBody;
import io.netty.handler.codec.DecoderException;
import io.vertx.core.http.HttpServerFileUpload;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Reads one form as it comes in: files are counted and hashed and never held. On the event loop. */
public final class FormReader {
    private record Part(HttpServerFileUpload upload, BodyDigest digest) {}

    private final HttpServerRequest request;
    private final String id;
    private final BodyDigest all = new BodyDigest();
    private final List<Part> parts = new ArrayList<>();
    private boolean over;

    public FormReader(HttpServerRequest request, String id) {
        this.request = request;
        this.id = id;
    }

    /** Calls one of them, once; neither when the client goes away first. */
    public void read(Consumer<ReceivedForm> whole, Runnable malformed) {
        try {
            request.setExpectMultipart(true);
        } catch (RuntimeException _) {
            // No boundary, or no form.
            request.end().onSuccess(_ -> malformed.run());
            return;
        }
        request.exceptionHandler(failure -> {
            // A client that goes away is told elsewhere.
            if (!over && failure instanceof DecoderException) {
                over = true;
                malformed.run();
            }
        });
        request.handler(bytes -> all.update(bytes.getBytes()));
        request.uploadHandler(upload -> {
            Part part = new Part(upload, new BodyDigest());
            parts.add(part);
            upload.handler(bytes -> part.digest.update(bytes.getBytes()));
        });
        request.endHandler(_ -> {
            if (!over) {
                over = true;
                whole.accept(form());
            }
        });
    }

    private ReceivedForm form() {
        Map<String, String> fields = new LinkedHashMap<>();
        request.formAttributes().forEach(field -> fields.put(field.getKey(), field.getValue()));
        List<ReceivedForm.File> files = parts.stream().map(FormReader::file).toList();
        SentBody body = all.ended(id, Ending.COMPLETED);
        return new ReceivedForm(id, body.sha256(), body.bytes(), fields, files);
    }

    private static ReceivedForm.File file(Part part) {
        SentBody body = part.digest.ended(part.upload.filename(), Ending.COMPLETED);
        return new ReceivedForm.File(
                part.upload.name(), part.upload.filename(), part.upload.contentType(), body.bytes(), body.sha256());
    }
}
