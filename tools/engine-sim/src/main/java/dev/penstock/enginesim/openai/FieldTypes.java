package dev.penstock.enginesim.openai;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Fields whose type both engines check, whatever the endpoint; a field they do not know may be anything. Pure. */
final class FieldTypes {
    private static final List<String> BOOLEANS = List.of("stream", "store", "background");
    private static final List<String> INTEGERS = List.of(
            "n",
            "max_tokens",
            "max_completion_tokens",
            "max_output_tokens",
            "max_new_tokens",
            "num_inference_steps",
            "top_n",
            "dimensions");
    private static final List<String> STRINGS = List.of("model", "previous_response_id", "instructions", "query");

    private FieldTypes() {}

    /** In pydantic's words what is wrong with the first field that is, or null. */
    static @Nullable String problem(JsonNode root) {
        for (String field : BOOLEANS) {
            if (root.hasNonNull(field) && !root.path(field).isBoolean()) {
                return wrong("bool_parsing", field, "Input should be a valid boolean, unable to interpret input");
            }
        }
        for (String field : INTEGERS) {
            if (root.hasNonNull(field) && !root.path(field).isIntegralNumber()) {
                return wrong(
                        "int_parsing", field, "Input should be a valid integer, unable to parse string as an integer");
            }
        }
        for (String field : STRINGS) {
            if (root.hasNonNull(field) && !root.path(field).isTextual()) {
                return wrong("string_type", field, "Input should be a valid string");
            }
        }
        if (root.hasNonNull("temperature") && !root.path("temperature").isNumber()) {
            return wrong(
                    "float_parsing",
                    "temperature",
                    "Input should be a valid number, unable to parse string as a number");
        }
        return null;
    }

    static String missing(String field) {
        return wrong("missing", field, "Field required");
    }

    static String wrong(String type, String field, String message) {
        return "1 validation error: [{'type': '" + type + "', 'loc': ('body', '" + field + "'), 'msg': '" + message
                + "'}]";
    }
}
