package dev.penstock.enginesim.realtime;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.enginesim.engine.BodyDigest;
import dev.penstock.enginesim.engine.Ending;
import dev.penstock.enginesim.fault.Fault;
import dev.penstock.enginesim.openai.Connections;
import dev.penstock.enginesim.openai.EngineParts;
import dev.penstock.enginesim.openai.JsonText;
import dev.penstock.enginesim.openai.ServedModels;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.ServerWebSocket;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * One connection: sound is appended until a commit, which makes words of it. A commit while one is worked on is ignored, as
 * vLLM ignores it; unlike vLLM it asks for no {@code session.update} first. On the engine's event loop.
 */
final class RealtimeSession {
    private static final short UNSUPPORTED_DATA = 1003;

    private final ObjectMapper json = new ObjectMapper();
    private final EngineParts engine;
    private final ServedModels models;
    private final ServerWebSocket socket;
    private final HttpConnection connection;
    private final String id;
    /** Of all messages that were sent. */
    private final BodyDigest sent = new BodyDigest();

    private BodyDigest heard = new BodyDigest();
    private @Nullable RealtimeAnswer answer;

    RealtimeSession(
            EngineParts engine, ServedModels models, ServerWebSocket socket, HttpConnection connection, String id) {
        this.engine = engine;
        this.models = models;
        this.socket = socket;
        this.connection = connection;
        this.id = id;
    }

    void begin() {
        socket.textMessageHandler(this::received);
        socket.binaryMessageHandler(_ -> close(UNSUPPORTED_DATA, "expected text"));
        socket.closeHandler(_ -> closed());
        // Its end is told by the close handler.
        socket.exceptionHandler(_ -> {});
        StringBuilder created = new StringBuilder("{\"type\":\"session.created\",\"id\":");
        JsonText.append(created, "sess-" + id);
        send(created.append(",\"created\":")
                .append(engine.seconds())
                .append('}')
                .toString());
    }

    void send(String message) {
        if (!socket.isClosed()) {
            sent.update(message.getBytes(StandardCharsets.UTF_8));
            socket.writeTextMessage(message);
        }
    }

    void error(String message, String code) {
        StringBuilder out = new StringBuilder("{\"type\":\"error\",\"error\":");
        JsonText.append(out, message).append(",\"code\":");
        send(JsonText.append(out, code).append('}').toString());
    }

    void close(short code, String reason) {
        if (!socket.isClosed()) {
            socket.close(code, reason);
        }
    }

    /** Ends the connection as a stream's is ended. */
    void cut(Fault.Cut how) {
        switch (how) {
            case FIN -> Connections.close(connection);
            case RST -> Connections.reset(connection);
            case CLEAN -> close((short) 1000, "");
        }
    }

    String id() {
        return id;
    }

    private void received(String message) {
        JsonNode event;
        try {
            event = json.readTree(message);
        } catch (IOException _) {
            error("Invalid JSON", "invalid_json");
            return;
        }
        switch (event.path("type").asText("")) {
            case "session.update" -> update(event);
            case "input_audio_buffer.append" -> append(event);
            case "input_audio_buffer.commit" -> commit();
            default -> error("Unknown event type: " + event.path("type").asText("None"), "unknown_event");
        }
    }

    private void update(JsonNode event) {
        String model = event.path("model").asText(models.first());
        if (!models.names().contains(model)) {
            error("The model `" + model + "` does not exist.", "model_not_found");
        }
    }

    private void append(JsonNode event) {
        byte[] audio;
        try {
            audio = Base64.getDecoder().decode(event.path("audio").asText(""));
        } catch (IllegalArgumentException _) {
            audio = new byte[0];
        }
        if (audio.length == 0) {
            error("Invalid audio data", "invalid_audio");
        } else {
            heard.update(audio);
        }
    }

    private void commit() {
        if (answer != null && answer.working()) {
            return;
        }
        if (heard.bytes() == 0) {
            error("Can't process empty audio.", "processing_error");
            return;
        }
        long bytes = heard.bytes();
        String sha256 = heard.ended(id, Ending.COMPLETED).sha256();
        heard = new BodyDigest();
        RealtimeAnswer next = new RealtimeAnswer(this, engine);
        answer = next;
        next.start(sha256, bytes);
    }

    private void closed() {
        RealtimeAnswer last = answer;
        boolean unfinished = last != null && last.working();
        if (last != null) {
            last.leave();
        }
        engine.bodies().add(sent.ended(id, unfinished ? Ending.CANCELLED : Ending.COMPLETED));
    }
}
