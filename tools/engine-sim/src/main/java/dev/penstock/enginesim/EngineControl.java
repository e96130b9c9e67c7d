package dev.penstock.enginesim;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.penstock.enginesim.engine.Cancellation;
import dev.penstock.enginesim.engine.ReceivedForm;
import dev.penstock.enginesim.engine.RequestCounts;
import dev.penstock.enginesim.engine.SentBody;
import dev.penstock.enginesim.fault.Fault;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The control paths of one engine, the same under {@code /sim} on its own port and under {@code /engines/NAME} on the
 * fleet's control port: {@code fault}, {@code state}, {@code reset-high-water}, {@code streams/ID}, {@code
 * uploads/ID}.
 */
final class EngineControl {
    static final String ENGINE_PREFIX = "/sim/";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String STREAMS = "streams/";
    private static final String UPLOADS = "uploads/";

    private final EngineSim engine;

    EngineControl(EngineSim engine) {
        this.engine = engine;
    }

    /** @param path without the prefix: {@code fault}, {@code state}, ... */
    void handle(HttpServerRequest request, String path) {
        String call = request.method().name() + " " + path;
        if (call.startsWith("GET " + STREAMS)) {
            sendStream(request, path.substring(STREAMS.length()));
            return;
        }
        if (call.startsWith("GET " + UPLOADS)) {
            sendUpload(request, path.substring(UPLOADS.length()));
            return;
        }
        switch (call) {
            case "GET state" -> ControlReply.send(request, 200, stateJson(engine));
            case "POST fault" -> request.body().onSuccess(body -> setFault(request, body.getBytes()));
            case "DELETE fault" ->
                engine.clearFault()
                        .onSuccess(_ -> ControlReply.send(request, 200, stateJson(engine)))
                        .onFailure(e -> ControlReply.fail(request, 500, "fault not cleared: " + e.getMessage()));
            case "POST reset-high-water" -> {
                engine.resetHighWater();
                ControlReply.send(request, 200, stateJson(engine));
            }
            default ->
                ControlReply.fail(
                        request,
                        404,
                        "expected GET state, POST or DELETE fault, POST reset-high-water, GET streams/ID or"
                                + " GET uploads/ID, got "
                                + call);
        }
    }

    static ObjectNode stateJson(EngineSim engine) {
        EngineState state = engine.state();
        RequestCounts requests = state.requests();
        ObjectNode json = JSON.createObjectNode()
                .put("name", state.name())
                .put("kind", state.kind().option())
                .put("endpoint", engine.endpoint())
                .put("port", state.port())
                .put("profile", state.profile());
        if (state.fault().equals(new Fault.None())) {
            json.putNull("fault");
        } else {
            ArrayNode args =
                    json.putObject("fault").put("verb", state.fault().verb()).putArray("args");
            state.fault().args().forEach(args::add);
        }
        json.put("running", state.running())
                .put("waiting", state.waiting())
                .put("inflight", requests.inflight())
                .put("highWater", requests.highWater())
                .put("received", requests.received())
                .put("completed", requests.completed())
                .put("rejected", requests.rejected())
                .put("cancelled", requests.cancelled())
                .put("cut", requests.cut())
                .put("abortCalls", requests.abortCalls())
                .put("aborted", requests.aborted());
        ArrayNode cancellations = json.putArray("cancellations");
        for (Cancellation cancellation : requests.cancellations()) {
            cancellations
                    .addObject()
                    .put("id", cancellation.id())
                    .put("atMillisSinceStart", cancellation.atMillisSinceStart())
                    .put("openMillis", cancellation.openMillis())
                    .put("generatedTokens", cancellation.generatedTokens());
        }
        return json;
    }

    private void setFault(HttpServerRequest request, byte[] body) {
        Fault fault;
        try {
            fault = faultIn(body);
        } catch (IllegalArgumentException e) {
            ControlReply.fail(request, 400, String.valueOf(e.getMessage()));
            return;
        }
        engine.fault(fault)
                .onSuccess(_ -> ControlReply.send(request, 200, stateJson(engine)))
                .onFailure(e -> ControlReply.fail(request, 500, "fault not set: " + e.getMessage()));
    }

    private static Fault faultIn(byte[] body) {
        JsonNode json;
        try {
            json = JSON.readTree(new String(body, StandardCharsets.UTF_8));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "expected JSON like {\"verb\":\"error\",\"args\":[\"503\"]}: " + e.getOriginalMessage(), e);
        }
        List<String> args = new ArrayList<>();
        json.path("args").forEach(arg -> args.add(arg.asText()));
        return Fault.parse(json.path("verb").asText(""), args);
    }

    private void sendUpload(HttpServerRequest request, String id) {
        ReceivedForm form = engine.receivedForm(id);
        if (form == null) {
            ControlReply.fail(request, 404, "no form with id " + id + " among the last 1000");
        } else {
            ControlReply.send(request, 200, JSON.valueToTree(form));
        }
    }

    private void sendStream(HttpServerRequest request, String id) {
        SentBody body = engine.sentBody(id);
        if (body == null) {
            ControlReply.fail(request, 404, "no ended request with id " + id + " among the last 1000");
            return;
        }
        ControlReply.send(
                request,
                200,
                JSON.createObjectNode()
                        .put("id", body.id())
                        .put("sha256", body.sha256())
                        .put("bytes", body.bytes())
                        .put("ending", body.ending().name().toLowerCase(Locale.ROOT)));
    }
}
