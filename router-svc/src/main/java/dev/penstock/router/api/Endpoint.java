package dev.penstock.router.api;

import dev.penstock.router.stream.Framing;
import org.jspecify.annotations.Nullable;

/** An endpoint whose requests name a model and go to one of its replicas. */
public enum Endpoint {
    CHAT("chat", Framing.CHAT, Body.JSON),
    COMPLETIONS("text_completion", Framing.CHAT, Body.JSON),
    RESPONSES("responses", Framing.RESPONSES, Body.JSON),
    MESSAGES("messages", Framing.MESSAGES, Body.JSON),
    COUNT_TOKENS("count_tokens", Framing.MESSAGES, Body.JSON),
    EMBEDDINGS("embeddings", Framing.OTHER, Body.JSON),
    RERANK("rerank", Framing.OTHER, Body.JSON),
    SCORE("score", Framing.OTHER, Body.JSON),
    CLASSIFY("classify", Framing.OTHER, Body.JSON),
    TOKENIZE("tokenize", Framing.OTHER, Body.JSON),
    SPEECH("speech", Framing.OTHER, Body.JSON),
    TRANSCRIPTIONS("transcription", Framing.OTHER, Body.MULTIPART),
    IMAGES("image_generation", Framing.OTHER, Body.JSON),
    IMAGE_EDITS("image_edit", Framing.OTHER, Body.MULTIPART),
    VIDEOS("video_generation", Framing.OTHER, Body.EITHER);

    private final String operation;
    private final Framing framing;
    private final Body body;

    /** What a request's body may be. */
    public enum Body {
        JSON,
        MULTIPART,
        EITHER
    }

    Endpoint(String operation, Framing framing, Body body) {
        this.operation = operation;
        this.framing = framing;
        this.body = body;
    }

    /** As traces name it. */
    public String operation() {
        return operation;
    }

    public Framing framing() {
        return framing;
    }

    public Body body() {
        return body;
    }

    public Envelope envelope() {
        return framing == Framing.MESSAGES ? Envelope.ANTHROPIC : Envelope.OPENAI;
    }

    /** Whether what it starts at an engine goes on by itself: then it is sent once, whatever happens. */
    public boolean startsJob() {
        return this == VIDEOS;
    }

    /** Whether its answers name something that the engine keeps, and that can be asked for again. */
    public boolean givesIds() {
        return this == RESPONSES || this == VIDEOS;
    }

    /** The endpoint of a path that is posted to, or null. A plain switch: nothing is matched by pattern on the hot path. */
    public static @Nullable Endpoint at(String path) {
        return switch (path) {
            case "/v1/chat/completions" -> CHAT;
            case "/v1/completions" -> COMPLETIONS;
            case "/v1/responses" -> RESPONSES;
            case "/v1/messages" -> MESSAGES;
            case "/v1/messages/count_tokens" -> COUNT_TOKENS;
            case "/v1/embeddings" -> EMBEDDINGS;
            case "/v1/rerank", "/rerank", "/v2/rerank" -> RERANK;
            case "/v1/score", "/score" -> SCORE;
            case "/v1/classify", "/classify" -> CLASSIFY;
            case "/tokenize", "/detokenize", "/v1/tokenize", "/v1/detokenize" -> TOKENIZE;
            case "/v1/audio/speech" -> SPEECH;
            case "/v1/audio/transcriptions", "/v1/audio/translations" -> TRANSCRIPTIONS;
            case "/v1/images/generations" -> IMAGES;
            case "/v1/images/edits", "/v1/images/variations" -> IMAGE_EDITS;
            case "/v1/videos" -> VIDEOS;
            default -> null;
        };
    }
}
