package dev.penstock.enginesim.vllm;

import java.util.List;

/**
 * The names an engine answers to; the first is the model's own, and what a request without a name gets.
 *
 * @param maxModelLen context length in tokens
 */
public record ServedModels(List<String> names, int maxModelLen) {
    public ServedModels {
        names = List.copyOf(names);
        if (names.isEmpty()) {
            throw new IllegalArgumentException("models: expected at least one name, got none");
        }
    }

    public String first() {
        return names.getFirst();
    }

    String listJson(long createdSeconds) {
        StringBuilder out = new StringBuilder("{\"object\":\"list\",\"data\":[");
        for (int i = 0; i < names.size(); i++) {
            out.append(i == 0 ? "" : ",").append("{\"id\":");
            JsonText.append(out, names.get(i))
                    .append(",\"object\":\"model\",\"created\":")
                    .append(createdSeconds)
                    .append(",\"owned_by\":\"vllm\",\"root\":");
            JsonText.append(out, first())
                    .append(",\"parent\":null,\"max_model_len\":")
                    .append(maxModelLen)
                    .append(",\"permission\":[]}");
        }
        return out.append("]}").toString();
    }
}
