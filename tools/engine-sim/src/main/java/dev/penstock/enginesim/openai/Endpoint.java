package dev.penstock.enginesim.openai;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The paths that make the GPU work. */
public enum Endpoint {
    CHAT("/v1/chat/completions", "messages", "chatcmpl-", "Chat Completions"),
    COMPLETIONS("/v1/completions", "prompt", "cmpl-", "Completions"),
    EMBEDDINGS("/v1/embeddings", "input", "embd-", "Embeddings");

    private final String path;
    private final String inputField;
    private final String idPrefix;
    private final String title;

    Endpoint(String path, String inputField, String idPrefix, String title) {
        this.path = path;
        this.inputField = inputField;
        this.idPrefix = idPrefix;
        this.title = title;
    }

    public String path() {
        return path;
    }

    /** The one field a body must have. */
    String inputField() {
        return inputField;
    }

    public String idPrefix() {
        return idPrefix;
    }

    String title() {
        return title;
    }

    public static @Nullable Endpoint at(String path) {
        for (Endpoint endpoint : values()) {
            if (endpoint.path.equals(path)) {
                return endpoint;
            }
        }
        return null;
    }

    public static List<String> paths() {
        return Stream.of(values()).map(Endpoint::path).toList();
    }
}
