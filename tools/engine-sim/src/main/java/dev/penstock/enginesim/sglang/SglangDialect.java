package dev.penstock.enginesim.sglang;

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
    public ErrorReply notFound(String message, String param) {
        return SglangErrors.of(404, message, "invalid_request_error", param);
    }

    /** Responses nest their errors, unlike chat. */
    @Override
    public ErrorReply in(Endpoint endpoint, ErrorReply reply) {
        return switch (endpoint) {
            case MESSAGES -> MessageBody.error(ApiStyle.SGLANG, reply);
            case RESPONSES -> reply.in(reply.streamJson());
            default -> reply;
        };
    }

    @Override
    public StreamEvents events(GenerationRequest request, String id, LongSupplier seconds) {
        String model = request.model();
        return switch (request.endpoint()) {
            case RESPONSES ->
                new ResponseEvents(
                        ApiStyle.SGLANG, new ResponseObject(ApiStyle.SGLANG, request, id, seconds.getAsLong()));
            case MESSAGES -> new MessageEvents(ApiStyle.SGLANG, id, model, request.promptTokens());
            case TRANSCRIPTIONS, TRANSLATIONS ->
                new TranscriptionEvents(ApiStyle.SGLANG, request.endpoint(), id, model, seconds.getAsLong());
            default -> new SglangEvents(request.endpoint(), id, model, seconds);
        };
    }

    @Override
    public String generation(
            GenerationRequest request, Words words, Answered answered, int tokens, String finishReason) {
        return switch (request.endpoint()) {
            case RESPONSES -> SharedBodies.response(ApiStyle.SGLANG, request, words, answered, tokens, finishReason);
            case MESSAGES -> SharedBodies.message(ApiStyle.SGLANG, request, words, answered, tokens, finishReason);
            case TRANSCRIPTIONS, TRANSLATIONS -> MediaBody.text(request, words, tokens);
            case IMAGES, IMAGE_EDITS -> MediaBody.images(request, words, answered);
            default -> SglangBodies.generation(request, words, answered, tokens, finishReason);
        };
    }

    @Override
    public String numbers(GenerationRequest request, Words words, Answered answered) {
        return request.endpoint() == Endpoint.EMBEDDINGS
                ? SglangBodies.embeddings(request, words, answered)
                : SharedBodies.scores(ApiStyle.SGLANG, request, words, answered);
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
                .append(",\"owned_by\":\"sglang\",\"root\":");
        JsonText.append(out, path == null ? name : path).append(",\"parent\":");
        if (path == null) {
            out.append("null,\"max_model_len\":").append(models.maxModelLen());
        } else {
            JsonText.append(out, models.first()).append(",\"max_model_len\":null");
        }
        return out.append('}').toString();
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
        String id = request.rid() != null ? request.rid() : exchangeId;
        return switch (request.endpoint()) {
            case RESPONSES -> id.startsWith("resp_") ? id : "resp_" + id;
            case MESSAGES -> "msg_" + id;
            case TRANSCRIPTIONS, TRANSLATIONS -> request.endpoint().idPrefix() + id;
            default -> id;
        };
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
