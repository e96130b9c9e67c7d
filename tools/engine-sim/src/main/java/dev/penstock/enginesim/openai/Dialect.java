package dev.penstock.enginesim.openai;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** An engine's own words: error bodies, events, whole answers, and the few habits that differ. Pure. */
public interface Dialect {
    ErrorReply badRequest(String message, @Nullable String param);

    /** The web framework's own validation: malformed JSON, wrong content type, missing or contradicting fields. */
    ErrorReply invalid(String message);

    ErrorReply unknownModel(String model);

    ErrorReply unknownPath();

    ErrorReply wrongMethod();

    /** What the fault {@code error} answers. */
    ErrorReply injected(int status);

    /** The engine's process is gone. */
    ErrorReply dead();

    ErrorReply queueFull();

    /** While the number of ranks changes. */
    ErrorReply scaling();

    /** A resource that this engine does not have. */
    ErrorReply notFound(String message, String param);

    /** An error as the API of this endpoint has it. */
    ErrorReply in(Endpoint endpoint, ErrorReply reply);

    /** Events of one stream. {@code seconds} is the engine's clock. */
    StreamEvents events(GenerationRequest request, String id, LongSupplier seconds);

    /**
     * A whole answer in which every choice has so many tokens.
     *
     * @param finishReason of a response that is stored its status, too
     */
    String generation(GenerationRequest request, Words words, Answered answered, int tokens, String finishReason);

    /** The answer of an endpoint that pools: vectors, scores. */
    String numbers(GenerationRequest request, Words words, Answered answered);

    String models(ServedModels models, LoadedAdapters adapters, long createdSeconds);

    /** One of them. */
    String model(ServedModels models, LoadedAdapters adapters, String name, long createdSeconds);

    /** The model or adapter that a request's model name stands for. */
    default String servedName(String model, ServedModels models) {
        return model;
    }

    /** The id an answer carries. */
    String answerId(GenerationRequest request, String exchangeId);

    /** Whether a stream's 200 goes out before there is a token. */
    boolean headBeforeFirstToken();

    /** Whether a full queue answers streams with 200 and an event. */
    boolean queueFullInStream();

    /** Whether an engine told to go answers new requests with finish_reason {@code abort}. */
    boolean abortsWhenTerminating();

    /** How long after its client has gone a request is dropped. */
    long abandonMillis(boolean stream);

    /**
     * What whole answers name.
     *
     * @param cachedTokens of the prompts; 0 = not told
     */
    record Answered(String id, long createdSeconds, int cachedTokens) {}
}
