package dev.penstock.enginesim.openai;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The paths that make the GPU work. */
public enum Endpoint {
    CHAT(Makes.TEXT, "messages", "chatcmpl-", "Chat Completions", "/v1/chat/completions"),
    COMPLETIONS(Makes.TEXT, "prompt", "cmpl-", "Completions", "/v1/completions"),
    EMBEDDINGS(Makes.NUMBERS, "input", "embd-", "Embeddings", "/v1/embeddings"),
    RESPONSES(Makes.TEXT, "input", "resp_", "Responses", "/v1/responses"),
    MESSAGES(Makes.TEXT, "messages", "chatcmpl-", "Messages", "/v1/messages"),
    RERANK(Makes.NUMBERS, "documents", "rerank-", "Rerank", "/v1/rerank", "/rerank", "/v2/rerank"),
    SCORE(Makes.NUMBERS, "text_2", "score-", "Score", "/v1/score", "/score"),
    CLASSIFY(Makes.NUMBERS, "input", "classify-", "Classification", "/classify", "/v1/classify"),
    POOLING(Makes.NUMBERS, "input", "pool-", "Pooling", "/pooling"),
    TRANSCRIPTIONS(Makes.TEXT, "file", "trsc-", "Transcriptions", "/v1/audio/transcriptions"),
    TRANSLATIONS(Makes.TEXT, "file", "trsl-", "Translations", "/v1/audio/translations"),
    SPEECH(Makes.MEDIA, "input", "speech-", "Speech", "/v1/audio/speech"),
    IMAGES(Makes.MEDIA, "prompt", "img-", "Images", "/v1/images/generations"),
    IMAGE_EDITS(Makes.MEDIA, "image", "img-", "Image Edits", "/v1/images/edits");

    private enum Makes {
        TEXT,
        NUMBERS,
        MEDIA
    }

    private static final Map<String, Endpoint> PATH_TO_ENDPOINT = pathToEndpoint();

    private final Makes makes;
    private final String inputField;
    private final String idPrefix;
    private final String title;
    private final List<String> paths;

    Endpoint(Makes makes, String inputField, String idPrefix, String title, String... paths) {
        this.makes = makes;
        this.inputField = inputField;
        this.idPrefix = idPrefix;
        this.title = title;
        this.paths = List.of(paths);
    }

    public String path() {
        return paths.getFirst();
    }

    /** The one field a body must have. */
    public String inputField() {
        return inputField;
    }

    public String idPrefix() {
        return idPrefix;
    }

    String title() {
        return title;
    }

    /** Whether an answer ends with its prefill: vectors, scores. */
    public boolean pools() {
        return makes == Makes.NUMBERS;
    }

    /** Whether the body is a form with files. */
    public boolean takesFiles() {
        return this == TRANSCRIPTIONS || this == TRANSLATIONS || this == IMAGE_EDITS;
    }

    /** Whether an answer may be a stream of events. */
    boolean streams() {
        return makes == Makes.TEXT;
    }

    /** Whether {@code n} asks for several answers to a prompt. */
    boolean takesChoices() {
        return this == CHAT || this == COMPLETIONS || this == IMAGES || this == IMAGE_EDITS;
    }

    /** Whether prompts use and feed the prefix cache. */
    boolean cachesPrompts() {
        return makes == Makes.TEXT && !takesFiles();
    }

    /** Whether a stream's usage is part of its end, asked for or not. */
    boolean alwaysTellsUsage() {
        return this == RESPONSES || this == MESSAGES;
    }

    public static @Nullable Endpoint at(String path) {
        return PATH_TO_ENDPOINT.get(path);
    }

    /** Those that have series of their own on the metrics page, which is long enough with these. */
    public static List<String> meteredPaths() {
        return List.of(CHAT.path(), COMPLETIONS.path(), EMBEDDINGS.path());
    }

    private static Map<String, Endpoint> pathToEndpoint() {
        Map<String, Endpoint> all = new HashMap<>();
        for (Endpoint endpoint : values()) {
            endpoint.paths.forEach(path -> all.put(path, endpoint));
        }
        return Map.copyOf(all);
    }
}
