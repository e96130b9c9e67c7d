package dev.penstock.enginesim.sglang;

import dev.penstock.enginesim.openai.Dialect;
import dev.penstock.enginesim.openai.Endpoint;
import dev.penstock.enginesim.openai.ErrorReply;
import dev.penstock.enginesim.openai.GenerationRequest;
import dev.penstock.enginesim.openai.JsonText;
import dev.penstock.enginesim.openai.LoadedAdapters;
import dev.penstock.enginesim.openai.ServedModels;
import dev.penstock.enginesim.openai.StreamEvents;
import dev.penstock.enginesim.openai.Words;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** SGLang's words and habits. */
final class SglangDialect implements Dialect {
    private static final long STREAM_ABANDON_MILLIS = 2_000;
    private static final long WHOLE_ABANDON_MILLIS = 4_000;

    @Override
    public ErrorReply badRequest(String message, @Nullable String param) {
        return SglangErrors.of(400, message, "BadRequestError", param);
    }

    @Override
    public ErrorReply invalid(String message) {
        return SglangErrors.of(400, message, "Bad Request", null);
    }

    @Override
    public ErrorReply unknownModel(String model) {
        return SglangErrors.of(404, "The model '" + model + "' does not exist", "NotFoundError", "model");
    }

    @Override
    public ErrorReply unknownPath() {
        return SglangErrors.of(404, "Not Found", "404", null);
    }

    @Override
    public ErrorReply wrongMethod() {
        return SglangErrors.of(405, "Method Not Allowed", "405", null);
    }

    @Override
    public ErrorReply injected(int status) {
        String type =
                switch (status) {
                    case 400 -> "BadRequestError";
                    case 500 -> "InternalServerError";
                    default -> Integer.toString(status);
                };
        return SglangErrors.of(status, "Injected fault.", type, null);
    }

    @Override
    public ErrorReply dead() {
        return SglangErrors.of(500, "Internal server error: the scheduler is gone.", "InternalServerError", null);
    }

    @Override
    public ErrorReply queueFull() {
        return SglangErrors.unavailable("The request queue is full.");
    }

    @Override
    public ErrorReply scaling() {
        return SglangErrors.unavailable("The model is currently scaling. Please try again later.");
    }

    @Override
    public StreamEvents events(Endpoint endpoint, String id, String model, LongSupplier seconds) {
        return new SglangEvents(endpoint, id, model, seconds);
    }

    @Override
    public String generation(
            GenerationRequest request, Words words, Answered answered, int tokens, String finishReason) {
        return SglangBodies.generation(request, words, answered, tokens, finishReason);
    }

    @Override
    public String embeddings(GenerationRequest request, Words words, Answered answered) {
        return SglangBodies.embeddings(request, words, answered);
    }

    @Override
    public String models(ServedModels models, LoadedAdapters adapters, long createdSeconds) {
        StringBuilder out = new StringBuilder("{\"object\":\"list\",\"data\":[");
        for (int i = 0; i < models.names().size(); i++) {
            out.append(i == 0 ? "" : ",").append("{\"id\":");
            JsonText.append(out, models.names().get(i))
                    .append(",\"object\":\"model\",\"created\":")
                    .append(createdSeconds)
                    .append(",\"owned_by\":\"sglang\",\"root\":");
            JsonText.append(out, models.names().get(i))
                    .append(",\"parent\":null,\"max_model_len\":")
                    .append(models.maxModelLen())
                    .append('}');
        }
        adapters.nameToPath().forEach((name, path) -> {
            JsonText.append(out.append(",{\"id\":"), name)
                    .append(",\"object\":\"model\",\"created\":")
                    .append(createdSeconds)
                    .append(",\"owned_by\":\"sglang\",\"root\":");
            JsonText.append(out, path).append(",\"parent\":");
            JsonText.append(out, models.first()).append(",\"max_model_len\":null}");
        });
        return out.append("]}").toString();
    }

    /** {@code base:adapter} is the adapter. */
    @Override
    public String servedName(String model, ServedModels models) {
        int colon = model.lastIndexOf(':');
        return colon > 0 && models.names().contains(model.substring(0, colon)) ? model.substring(colon + 1) : model;
    }

    /** The rid of the request, or one made up; X-Request-Id means nothing to SGLang but names the exchange. */
    @Override
    public String answerId(GenerationRequest request, String exchangeId) {
        return request.rid() != null ? request.rid() : exchangeId;
    }

    /** As builds of mid-2026: the head waits for the first chunk, so that errors found early get their status. */
    @Override
    public boolean headBeforeFirstToken() {
        return false;
    }

    @Override
    public boolean queueFullInStream() {
        return true;
    }

    @Override
    public boolean abortsWhenTerminating() {
        return false;
    }

    @Override
    public long abandonMillis(boolean stream) {
        return stream ? STREAM_ABANDON_MILLIS : WHOLE_ABANDON_MILLIS;
    }
}
