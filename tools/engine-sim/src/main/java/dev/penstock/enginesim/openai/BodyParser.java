package dev.penstock.enginesim.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.enginesim.engine.StoredResponse;
import dev.penstock.enginesim.engine.StoredResponses;
import dev.penstock.enginesim.step.PromptKey;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads and checks generation bodies in the engines' order: JSON, fields, model, length. Unknown fields are ignored. */
public final class BodyParser {
    private static final int DEFAULT_OUTPUT_TOKENS = 32;
    private static final int MAX_DIMENSIONS = 4096;
    private static final int MAX_CHOICES = 128;

    private final ObjectMapper json = new ObjectMapper();
    private final ServedModels models;
    private final LoadedAdapters adapters;
    private final StoredResponses stored;
    private final Dialect dialect;
    private final boolean keepsTokens;

    BodyParser(
            ServedModels models,
            LoadedAdapters adapters,
            StoredResponses stored,
            Dialect dialect,
            boolean keepsTokens) {
        this.models = models;
        this.adapters = adapters;
        this.stored = stored;
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

    /** @param root a body's JSON object, or a form's fields and what its files amount to */
    public ParsedBody parse(Endpoint endpoint, JsonNode root) {
        String wrong = problem(endpoint, root);
        if (wrong != null) {
            return invalid(wrong);
        }
        boolean stream = root.path("stream").asBoolean(false);
        String named = root.path("model").asText(models.first());
        String model = dialect.servedName(named, models);
        if (!models.names().contains(model) && !adapters.has(model)) {
            return new ParsedBody.Invalid(dialect.unknownModel(named));
        }
        boolean generates = !endpoint.pools();
        if (generates && models.pooling()) {
            return new ParsedBody.Invalid(
                    dialect.badRequest("The model does not support " + endpoint.title() + " API", null));
        }
        String history = "";
        if (endpoint == Endpoint.RESPONSES && root.hasNonNull("previous_response_id")) {
            String previous = root.path("previous_response_id").asText();
            StoredResponse response = stored.find(previous);
            if (response == null) {
                return new ParsedBody.Invalid(
                        dialect.notFound("Response with id '" + previous + "' not found.", "response_id"));
            }
            history = response.conversation();
        }
        List<Prompt> prompts = PromptReader.read(endpoint, root, history, promptKey(model, root));
        int longest = prompts.stream().mapToInt(Prompt::tokens).max().orElse(1);
        int choices = endpoint.takesChoices() ? root.path("n").asInt(1) : 1;
        long outputTokens = generates ? outputTokens(endpoint, root, longest) : 0;
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
                endpoint.streams() && stream,
                endpoint.alwaysTellsUsage()
                        || root.path("stream_options").path("include_usage").asBoolean(false),
                root.path("encoding_format").asText("float").equals("base64"),
                dimensions,
                root.path("rid").isTextual() ? root.path("rid").asText() : null,
                root));
    }

    /** In pydantic's words. */
    private static @Nullable String problem(Endpoint endpoint, JsonNode root) {
        String wrong = FieldTypes.problem(root);
        if (wrong == null) {
            wrong = PromptReader.problem(endpoint, root);
        }
        if (wrong != null) {
            return wrong;
        }
        if (endpoint == Endpoint.MESSAGES) {
            if (!root.hasNonNull("model")) {
                return FieldTypes.missing("model");
            }
            return root.hasNonNull("max_tokens") ? null : FieldTypes.missing("max_tokens");
        }
        boolean streamOptions =
                root.hasNonNull("stream_options") && !root.path("stream").asBoolean(false);
        return streamOptions && !endpoint.pools() ? "Stream options can only be defined when `stream=True`." : null;
    }

    private PromptKey promptKey(String model, JsonNode root) {
        String cacheSalt = root.path("cache_salt").asText("");
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

    /** Of images the steps that take noise away, which cost the engine as much as tokens. */
    private long outputTokens(Endpoint endpoint, JsonNode root, int promptTokens) {
        List<String> fields =
                switch (endpoint) {
                    case RESPONSES -> List.of("max_output_tokens");
                    case MESSAGES -> List.of("max_tokens");
                    case SPEECH -> List.of("max_new_tokens");
                    case IMAGES, IMAGE_EDITS -> List.of("num_inference_steps");
                    default -> List.of("max_completion_tokens", "max_tokens");
                };
        for (String field : fields) {
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
