package dev.penstock.enginesim.vllm;

import dev.penstock.enginesim.api.SharedBodies;
import dev.penstock.enginesim.media.MediaBody;
import dev.penstock.enginesim.media.TranscriptionEvents;
import dev.penstock.enginesim.messages.MessageBody;
import dev.penstock.enginesim.messages.MessageEvents;
import dev.penstock.enginesim.openai.ApiStyle;
import dev.penstock.enginesim.openai.Dialect;
import dev.penstock.enginesim.openai.Endpoint;
import dev.penstock.enginesim.openai.ErrorReply;
import dev.penstock.enginesim.openai.GenerationRequest;
import dev.penstock.enginesim.openai.JsonText;
import dev.penstock.enginesim.openai.LoadedAdapters;
import dev.penstock.enginesim.openai.ServedModels;
import dev.penstock.enginesim.openai.StreamEvents;
import dev.penstock.enginesim.openai.Words;
import dev.penstock.enginesim.responses.ResponseEvents;
import dev.penstock.enginesim.responses.ResponseObject;
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

    @Override
    public ErrorReply notFound(String message, String param) {
        return VllmErrors.of(404, message, "invalid_request_error", param);
    }

    @Override
    public ErrorReply in(Endpoint endpoint, ErrorReply reply) {
        return endpoint == Endpoint.MESSAGES ? MessageBody.error(ApiStyle.VLLM, reply) : reply;
    }

    /** One {@code created} for the whole stream. */
    @Override
    public StreamEvents events(GenerationRequest request, String id, LongSupplier seconds) {
        String model = request.model();
        return switch (request.endpoint()) {
            case RESPONSES ->
                new ResponseEvents(ApiStyle.VLLM, new ResponseObject(ApiStyle.VLLM, request, id, seconds.getAsLong()));
            case MESSAGES -> new MessageEvents(ApiStyle.VLLM, id, model, request.promptTokens());
            case TRANSCRIPTIONS, TRANSLATIONS ->
                new TranscriptionEvents(ApiStyle.VLLM, request.endpoint(), id, model, seconds.getAsLong());
            default -> new VllmEvents(request.endpoint(), id, seconds.getAsLong(), model);
        };
    }

    @Override
    public String generation(
            GenerationRequest request, Words words, Answered answered, int tokens, String finishReason) {
        return switch (request.endpoint()) {
            case RESPONSES -> SharedBodies.response(ApiStyle.VLLM, request, words, answered, tokens, finishReason);
            case MESSAGES -> SharedBodies.message(ApiStyle.VLLM, request, words, answered, tokens, finishReason);
            case TRANSCRIPTIONS, TRANSLATIONS -> MediaBody.text(request, words, tokens);
            case IMAGES, IMAGE_EDITS -> MediaBody.images(request, words, answered);
            default -> VllmBodies.generation(request, words, answered, tokens, finishReason);
        };
    }

    @Override
    public String numbers(GenerationRequest request, Words words, Answered answered) {
        return request.endpoint() == Endpoint.EMBEDDINGS
                ? VllmBodies.embeddings(request, words, answered)
                : SharedBodies.scores(ApiStyle.VLLM, request, words, answered);
    }

    @Override
    public String models(ServedModels models, LoadedAdapters adapters, long createdSeconds) {
        StringBuilder out = new StringBuilder("{\"object\":\"list\",\"data\":[");
        for (int i = 0; i < models.names().size(); i++) {
            out.append(i == 0 ? "" : ",")
                    .append(model(models, adapters, models.names().get(i), createdSeconds));
        }
        adapters.nameToPath().keySet().forEach(name -> out.append(',')
                .append(model(models, adapters, name, createdSeconds)));
        return out.append("]}").toString();
    }

    @Override
    public String model(ServedModels models, LoadedAdapters adapters, String name, long createdSeconds) {
        String path = adapters.nameToPath().get(name);
        StringBuilder out = new StringBuilder("{\"id\":");
        JsonText.append(out, name)
                .append(",\"object\":\"model\",\"created\":")
                .append(createdSeconds)
                .append(",\"owned_by\":\"vllm\",\"root\":");
        JsonText.append(out, path == null ? models.first() : path).append(",\"parent\":");
        if (path == null) {
            out.append("null,\"max_model_len\":").append(models.maxModelLen());
        } else {
            JsonText.append(out, models.first()).append(",\"max_model_len\":null");
        }
        return out.append(",\"permission\":[]}").toString();
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
