package dev.penstock.enginesim.vllm;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The paths that make the GPU work. */
enum Endpoint {
    CHAT("/v1/chat/completions", "messages", "chatcmpl-"),
    COMPLETIONS("/v1/completions", "prompt", "cmpl-"),
    EMBEDDINGS("/v1/embeddings", "input", "embd-");

    private final String path;
    private final String inputField;
    private final String idPrefix;

    Endpoint(String path, String inputField, String idPrefix) {
        this.path = path;
        this.inputField = inputField;
        this.idPrefix = idPrefix;
    }

    String path() {
        return path;
    }

    /** The one field a body must have. */
    String inputField() {
        return inputField;
    }

    String idPrefix() {
        return idPrefix;
    }

    static @Nullable Endpoint at(String path) {
        for (Endpoint endpoint : values()) {
            if (endpoint.path.equals(path)) {
                return endpoint;
            }
        }
        return null;
    }

    static List<String> paths() {
        return Stream.of(values()).map(Endpoint::path).toList();
    }
}
