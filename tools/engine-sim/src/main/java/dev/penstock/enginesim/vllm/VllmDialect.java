package dev.penstock.enginesim.vllm;

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

/** vLLM's words and habits. */
final class VllmDialect implements Dialect {
    @Override
    public ErrorReply badRequest(String message, @Nullable String param) {
        return VllmErrors.of(400, message, "BadRequestError", param);
    }

    @Override
    public ErrorReply invalid(String message) {
        return VllmErrors.of(400, message, "Bad Request", null);
    }

    @Override
    public ErrorReply unknownModel(String model) {
        return VllmErrors.of(404, "The model `" + model + "` does not exist.", "NotFoundError", "model");
    }

    @Override
    public ErrorReply unknownPath() {
        return VllmErrors.of(404, "Not Found", "Not Found", null);
    }

    @Override
    public ErrorReply wrongMethod() {
        return VllmErrors.of(405, "Method Not Allowed", "Method Not Allowed", null);
    }

    @Override
    public ErrorReply injected(int status) {
        return VllmErrors.injected(status);
    }

    @Override
    public ErrorReply dead() {
        return VllmErrors.of(500, VllmErrors.DEAD, "InternalServerError", null);
    }

    @Override
    public ErrorReply queueFull() {
        return VllmErrors.of(503, "The request queue is full.", "Service Unavailable", null);
    }

    @Override
    public ErrorReply scaling() {
        return VllmErrors.text(503, "The model is currently scaling. Please try again later.");
    }

    /** One {@code created} for the whole stream. */
    @Override
    public StreamEvents events(Endpoint endpoint, String id, String model, LongSupplier seconds) {
        return new VllmEvents(endpoint, id, seconds.getAsLong(), model);
    }

    @Override
    public String generation(
            GenerationRequest request, Words words, Answered answered, int tokens, String finishReason) {
        return VllmBodies.generation(request, words, answered, tokens, finishReason);
    }

    @Override
    public String embeddings(GenerationRequest request, Words words, Answered answered) {
        return VllmBodies.embeddings(request, words, answered);
    }

    @Override
    public String models(ServedModels models, LoadedAdapters adapters, long createdSeconds) {
        StringBuilder out = new StringBuilder("{\"object\":\"list\",\"data\":[");
        for (int i = 0; i < models.names().size(); i++) {
            out.append(i == 0 ? "" : ",").append("{\"id\":");
            JsonText.append(out, models.names().get(i))
                    .append(",\"object\":\"model\",\"created\":")
                    .append(createdSeconds)
                    .append(",\"owned_by\":\"vllm\",\"root\":");
            JsonText.append(out, models.first())
                    .append(",\"parent\":null,\"max_model_len\":")
                    .append(models.maxModelLen())
                    .append(",\"permission\":[]}");
        }
        adapters.nameToPath().forEach((name, path) -> {
            JsonText.append(out.append(",{\"id\":"), name)
                    .append(",\"object\":\"model\",\"created\":")
                    .append(createdSeconds)
                    .append(",\"owned_by\":\"vllm\",\"root\":");
            JsonText.append(out, path).append(",\"parent\":");
            JsonText.append(out, models.first()).append(",\"max_model_len\":null,\"permission\":[]}");
        });
        return out.append("]}").toString();
    }

    @Override
    public String answerId(GenerationRequest request, String exchangeId) {
        return request.endpoint().idPrefix() + exchangeId;
    }

    @Override
    public boolean headBeforeFirstToken() {
        return true;
    }

    @Override
    public boolean queueFullInStream() {
        return false;
    }

    @Override
    public boolean abortsWhenTerminating() {
        return true;
    }

    @Override
    public long abandonMillis(boolean stream) {
        return 0;
    }
}
