package dev.penstock.health.probe;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;

/** The ways to make an engine compute one token. Models differ in which of them they have. */
enum ProbeKind {
    COMPLETION("/v1/completions") {
        @Override
        void fill(ObjectNode body) {
            body.put("prompt", PROMPT).put("max_tokens", 1).put("temperature", 0);
        }
    },
    CHAT("/v1/chat/completions") {
        @Override
        void fill(ObjectNode body) {
            body.putArray("messages").addObject().put("role", "user").put("content", PROMPT);
            body.put("max_tokens", 1).put("temperature", 0);
        }
    },
    EMBEDDING("/v1/embeddings") {
        @Override
        void fill(ObjectNode body) {
            body.put("input", PROMPT);
        }
    };

    private static final String PROMPT = "ping";

    private final String path;

    ProbeKind(String path) {
        this.path = path;
    }

    String path() {
        return path;
    }

    abstract void fill(ObjectNode body);

    byte[] body(String model) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("model", model);
        fill(body);
        return body.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** What to try when an engine does not know this way. */
    ProbeKind next() {
        return values()[(ordinal() + 1) % values().length];
    }
}
