package dev.penstock.cli.load;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.Json;
import java.util.random.RandomGenerator;

/** Bodies of chat completions whose prompts differ from their first bytes on, so that no prefix is shared by accident. */
final class RequestBodies {
    private static final int BYTES_PER_TOKEN = 4;
    private static final String WORD = "load ";

    private final LoadPlan plan;
    private final RandomGenerator random;
    private final String model;
    private long number;

    RequestBodies(LoadPlan plan, RandomGenerator random) {
        this.plan = plan;
        this.random = random;
        this.model = Json.encode(plan.model());
    }

    Buffer next() {
        int promptBytes = plan.promptTokens().draw(random) * BYTES_PER_TOKEN;
        StringBuilder prompt = new StringBuilder(promptBytes + WORD.length());
        prompt.append(Long.toString(number++, 36))
                .append('-')
                .append(plan.seed())
                .append(' ');
        while (prompt.length() < promptBytes) prompt.append(WORD);
        prompt.setLength(promptBytes);
        return Buffer.buffer("{\"model\":" + model + ",\"messages\":[{\"role\":\"user\",\"content\":\"" + prompt
                + "\"}],\"max_tokens\":" + plan.outputTokens().draw(random) + ",\"stream\":" + plan.stream() + "}");
    }
}
