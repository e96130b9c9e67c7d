package dev.penstock.enginesim.openai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.penstock.enginesim.step.PromptKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What each endpoint's body makes the engine read: one prompt a sequence of the batch. Pure. */
final class PromptReader {
    private PromptReader() {}

    /** In pydantic's words which field is missing or of the wrong kind, or null. */
    static @Nullable String problem(Endpoint endpoint, JsonNode root) {
        return switch (endpoint) {
            case CHAT, MESSAGES -> listProblem(root, "messages");
            case RERANK -> root.hasNonNull("query") ? listProblem(root, "documents") : FieldTypes.missing("query");
            case SCORE -> scoreProblem(root);
            case EMBEDDINGS, CLASSIFY, POOLING ->
                root.path("input").isMissingNode() && !root.path("messages").isEmpty()
                        ? null
                        : inputProblem(root, "input");
            case COMPLETIONS, RESPONSES, SPEECH, IMAGES -> inputProblem(root, endpoint.inputField());
            // Files are looked for where the form is read.
            case TRANSCRIPTIONS, TRANSLATIONS -> null;
            case IMAGE_EDITS -> inputProblem(root, "prompt");
        };
    }

    /** @param history what a response goes on from; empty for none */
    static List<Prompt> read(Endpoint endpoint, JsonNode root, String history, PromptKey key) {
        return switch (endpoint) {
            case CHAT -> List.of(Prompt.ofMessages(root.path("messages"), key));
            case MESSAGES -> List.of(Prompt.ofMessages(after(root.path("system"), root.path("messages")), key));
            case RESPONSES -> List.of(Prompt.ofMessages(conversation(root, history), key));
            case RERANK -> pairs(root.path("query"), root.path("documents"), key);
            case SCORE -> pairs(first(root), second(root), key);
            case EMBEDDINGS, CLASSIFY, POOLING ->
                root.path("input").isMissingNode()
                        ? List.of(Prompt.ofMessages(root.path("messages"), key))
                        : Prompt.list(root.path("input"), key);
            case COMPLETIONS -> Prompt.list(root.path("prompt"), key);
            case SPEECH -> List.of(Prompt.ofText(root.path("input").asText(), key));
            case IMAGES -> List.of(Prompt.ofText(root.path("prompt").asText(), key));
            case TRANSCRIPTIONS, TRANSLATIONS, IMAGE_EDITS -> List.of(Prompt.ofFile(root, key));
        };
    }

    private static @Nullable String inputProblem(JsonNode root, String field) {
        JsonNode input = root.path(field);
        boolean nothing = input.isMissingNode() || input.isNull() || (input.isArray() && input.isEmpty());
        return nothing ? FieldTypes.missing(field) : null;
    }

    private static @Nullable String listProblem(JsonNode root, String field) {
        String missing = inputProblem(root, field);
        if (missing != null) {
            return missing;
        }
        return root.path(field).isArray() ? null : FieldTypes.wrong("list_type", field, "Input should be a valid list");
    }

    private static @Nullable String scoreProblem(JsonNode root) {
        if (first(root).isMissingNode()) {
            return FieldTypes.missing("text_1");
        }
        return second(root).isMissingNode() ? FieldTypes.missing("text_2") : null;
    }

    /** vLLM's names, and SGLang's. */
    private static JsonNode first(JsonNode root) {
        return oneOf(root, List.of("text_1", "queries", "data_1", "query"));
    }

    private static JsonNode second(JsonNode root) {
        return oneOf(root, List.of("text_2", "documents", "data_2", "items"));
    }

    private static JsonNode oneOf(JsonNode root, List<String> fields) {
        for (String field : fields) {
            if (root.hasNonNull(field)) {
                return root.path(field);
            }
        }
        return JsonNodeFactory.instance.missingNode();
    }

    /** A prompt per right side; the left side is one for all, or one for each. */
    private static List<Prompt> pairs(JsonNode left, JsonNode right, PromptKey key) {
        List<Prompt> prompts = new ArrayList<>();
        int count = right.isArray() ? right.size() : 1;
        for (int i = 0; i < count; i++) {
            JsonNode other = right.isArray() ? right.get(i) : right;
            JsonNode one = left.isArray() ? left.path(Math.min(i, left.size() - 1)) : left;
            prompts.add(Prompt.ofText(text(one) + "\n" + text(other), key));
        }
        return prompts;
    }

    private static String text(JsonNode item) {
        return item.isObject() ? item.path("text").asText("") : item.asText("");
    }

    private static JsonNode after(JsonNode system, JsonNode messages) {
        if (system.isMissingNode() || system.isNull()) {
            return messages;
        }
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        all.addObject().set("content", system);
        messages.forEach(all::add);
        return all;
    }

    private static JsonNode conversation(JsonNode root, String history) {
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        if (!history.isEmpty()) {
            all.addObject().put("content", history + "\n");
        }
        if (root.hasNonNull("instructions")) {
            all.addObject().set("content", root.path("instructions"));
        }
        JsonNode input = root.path("input");
        if (input.isArray()) {
            input.forEach(
                    item -> all.add(item.isObject() ? item : all.objectNode().set("content", item)));
        } else {
            all.addObject().set("content", input);
        }
        return all;
    }
}
