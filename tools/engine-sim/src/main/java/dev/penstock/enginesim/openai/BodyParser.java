package dev.penstock.enginesim.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.enginesim.step.PromptKey;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads and checks generation bodies in the engines' order: JSON, fields, model, length. Unknown fields are ignored. */
final class BodyParser {
    private static final int DEFAULT_OUTPUT_TOKENS = 32;
    private static final int MAX_DIMENSIONS = 4096;
    private static final int MAX_CHOICES = 128;

    private final ObjectMapper json = new ObjectMapper();
    private final ServedModels models;
    private final LoadedAdapters adapters;
    private final Dialect dialect;
    private final boolean keepsTokens;

    BodyParser(ServedModels models, LoadedAdapters adapters, Dialect dialect, boolean keepsTokens) {
        this.models = models;
        this.adapters = adapters;
        this.dialect = dialect;
        this.keepsTokens = keepsTokens;
    }

    ParsedBody parse(Endpoint endpoint, @Nullable String contentType, byte[] body) {
        if (contentType == null || !mediaType(contentType).equals("application/json")) {
            return invalid("Unsupported Media Type: Only 'application/json' is allowed");
        }
        JsonNode root;
        try {
            root = json.readTree(body);
        } catch (IOException e) {
            return invalid(
                    "1 validation error: [{'type': 'json_invalid', 'loc': ('body', 0), 'msg': 'JSON decode error'}]");
        }
        if (!root.isObject()) {
            return invalid("1 validation error: [{'type': 'model_attributes_type', 'loc': ('body',),"
                    + " 'msg': 'Input should be a valid dictionary'}]");
        }
        return parse(endpoint, root);
    }

    private ParsedBody parse(Endpoint endpoint, JsonNode root) {
        JsonNode input = root.path(endpoint.inputField());
        boolean stream = root.path("stream").asBoolean(false);
        boolean generates = endpoint != Endpoint.EMBEDDINGS;
        // Images are embedded as a conversation.
        boolean embedsMessages = endpoint == Endpoint.EMBEDDINGS
                && input.isMissingNode()
                && !root.path("messages").isEmpty();
        if (!embedsMessages && (input.isMissingNode() || input.isNull() || (input.isArray() && input.isEmpty()))) {
            return invalid("1 validation error: [{'type': 'missing', 'loc': ('body', '" + endpoint.inputField()
                    + "'), 'msg': 'Field required'}]");
        }
        if (endpoint == Endpoint.CHAT && !input.isArray()) {
            return invalid("1 validation error: [{'type': 'list_type', 'loc': ('body', 'messages'),"
                    + " 'msg': 'Input should be a valid list'}]");
        }
        if (generates && root.hasNonNull("stream_options") && !stream) {
            return invalid("Stream options can only be defined when `stream=True`.");
        }
        String named = root.path("model").asText(models.first());
        String model = dialect.servedName(named, models);
        if (!models.names().contains(model) && !adapters.has(model)) {
            return new ParsedBody.Invalid(dialect.unknownModel(named));
        }
        if (generates && models.pooling()) {
            return new ParsedBody.Invalid(
                    dialect.badRequest("The model does not support " + endpoint.title() + " API", null));
        }
        PromptKey key = promptKey(model, root.path("cache_salt").asText(""));
        boolean conversation = endpoint == Endpoint.CHAT || input.isMissingNode();
        List<Prompt> prompts = conversation
                ? List.of(Prompt.ofMessages(endpoint == Endpoint.CHAT ? input : root.path("messages"), key))
                : Prompt.list(input, key);
        int longest = prompts.stream().mapToInt(Prompt::tokens).max().orElse(1);
        int choices = generates ? root.path("n").asInt(1) : 1;
        long outputTokens = generates ? outputTokens(root, longest) : 0;
        int dimensions = root.path("dimensions").asInt(models.dimensions());
        ErrorReply problem = problem(longest, choices, generates, outputTokens, dimensions);
        if (problem != null) {
            return new ParsedBody.Invalid(problem);
        }
        return new ParsedBody.Valid(new GenerationRequest(
                endpoint,
                model,
                prompts,
                choices,
                (int) outputTokens,
                generates && stream,
                root.path("stream_options").path("include_usage").asBoolean(false),
                root.path("encoding_format").asText("float").equals("base64"),
                dimensions,
                root.path("rid").isTextual() ? root.path("rid").asText() : null));
    }

    private PromptKey promptKey(String model, String cacheSalt) {
        return new PromptKey(
                Words.hash(model) ^ Words.hash(cacheSalt),
                model.equals(models.first()) ? null : model,
                cacheSalt.isEmpty() ? null : cacheSalt,
                keepsTokens);
    }

    private @Nullable ErrorReply problem(
            int longest, int choices, boolean generates, long outputTokens, int dimensions) {
        if (choices < 1 || choices > MAX_CHOICES) {
            return dialect.badRequest("n must be from 1 to " + MAX_CHOICES + ", got " + choices + ".", "n");
        }
        if (dimensions < 1 || dimensions > MAX_DIMENSIONS) {
            return dialect.badRequest(
                    "dimensions must be from 1 to " + MAX_DIMENSIONS + ", got " + dimensions + ".", "dimensions");
        }
        if (generates && outputTokens < 1 && longest < models.maxModelLen()) {
            return dialect.badRequest("max_tokens must be at least 1, got " + outputTokens + ".", "max_tokens");
        }
        if (longest + outputTokens > models.maxModelLen() || (generates && longest >= models.maxModelLen())) {
            return dialect.badRequest(
                    "This model's maximum context length is " + models.maxModelLen()
                            + " tokens. However, you requested "
                            + outputTokens + " output tokens and your prompt contains " + longest
                            + " input tokens. Please reduce the length of the input prompt or the number of requested"
                            + " output tokens.",
                    "input_tokens");
        }
        return null;
    }

    private long outputTokens(JsonNode root, int promptTokens) {
        for (String field : List.of("max_completion_tokens", "max_tokens")) {
            if (root.hasNonNull(field)) {
                return root.path(field).asLong();
            }
        }
        return Math.min(DEFAULT_OUTPUT_TOKENS, models.maxModelLen() - promptTokens);
    }

    private ParsedBody invalid(String message) {
        return new ParsedBody.Invalid(dialect.invalid(message));
    }

    private static String mediaType(String contentType) {
        int parameters = contentType.indexOf(';');
        return (parameters < 0 ? contentType : contentType.substring(0, parameters))
                .trim()
                .toLowerCase(Locale.ROOT);
    }
}
