package dev.penstock.enginesim.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Loading and unloading of adapters, for both engines: what was asked, in whose words it is answered. Pure but for the list. */
public final class AdapterRoutes {
    /** A path that ends so is one where no adapter is found. */
    private static final String NO_ADAPTER = "/missing";

    private final ObjectMapper json = new ObjectMapper();
    private final LoadedAdapters adapters;
    private final ServedModels models;
    private final Answers answers;

    /** An engine's answers. */
    public interface Answers {
        ErrorReply invalid(String message);

        ErrorReply wrongUse(String message);

        ErrorReply notFound(String message);

        String alreadyLoaded(String name);

        String notLoaded(String name);
    }

    public AdapterRoutes(LoadedAdapters adapters, ServedModels models, Answers answers) {
        this.adapters = adapters;
        this.models = models;
        this.answers = answers;
    }

    /** The adapter's name, or why not. */
    public sealed interface Outcome {}

    public record Done(String name) implements Outcome {}

    public record Refused(ErrorReply reply) implements Outcome {}

    public Outcome load(byte[] body) {
        JsonNode root = object(body);
        if (root == null
                || !root.path("lora_name").isTextual()
                || !root.path("lora_path").isTextual()) {
            return new Refused(answers.invalid(missing(root, "lora_name", "lora_path")));
        }
        String name = root.path("lora_name").asText();
        String path = root.path("lora_path").asText();
        if (name.isEmpty() || path.isEmpty()) {
            return new Refused(answers.wrongUse("Both 'lora_name' and 'lora_path' must be provided."));
        }
        if (models.names().contains(name)) {
            return new Refused(
                    answers.wrongUse("The lora adapter name '" + name + "' conflicts with a served base model."));
        }
        if (adapters.loaded(name) && !root.path("load_inplace").asBoolean(false)) {
            return new Refused(answers.wrongUse(answers.alreadyLoaded(name)));
        }
        if (path.endsWith(NO_ADAPTER)) {
            return new Refused(answers.notFound("Loading lora " + name + " failed: No adapter found for " + path));
        }
        if (adapters.full() && !adapters.loaded(name)) {
            return new Refused(answers.wrongUse("Too many adapters are loaded."));
        }
        adapters.load(name, path);
        return new Done(name);
    }

    public Outcome unload(byte[] body) {
        JsonNode root = object(body);
        if (root == null || !root.path("lora_name").isTextual()) {
            return new Refused(answers.invalid(missing(root, "lora_name")));
        }
        String name = root.path("lora_name").asText();
        if (name.isEmpty()) {
            return new Refused(answers.wrongUse("'lora_name' needs to be provided to unload a LoRA adapter."));
        }
        if (!adapters.loaded(name)) {
            return new Refused(answers.notFound(answers.notLoaded(name)));
        }
        adapters.unload(name);
        return new Done(name);
    }

    private @Nullable JsonNode object(byte[] body) {
        try {
            JsonNode root = json.readTree(body);
            return root.isObject() ? root : null;
        } catch (IOException _) {
            return null;
        }
    }

    private static String missing(@Nullable JsonNode root, String... fields) {
        if (root == null) {
            return "1 validation error: [{'type': 'json_invalid', 'loc': ('body', 0), 'msg': 'JSON decode error'}]";
        }
        for (String field : fields) {
            if (!root.path(field).isTextual()) {
                return "1 validation error: [{'type': 'missing', 'loc': ('body', '" + field
                        + "'), 'msg': 'Field required'}]";
            }
        }
        return "";
    }
}
