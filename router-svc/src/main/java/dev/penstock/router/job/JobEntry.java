package dev.penstock.router.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What the index keeps of a job: what the engine said when it was made, under our id. How it goes since then is the engine's to
 * say.
 *
 * @param json one object, 2 KiB at most
 */
record JobEntry(String id, String json) {
    /** A prompt may be part of what an engine says; it is not kept if it is long. */
    static final int MOST_KEPT = 2_048;
    /** An answer that is longer is not read for the index. */
    static final int MOST_READ = 64 << 10;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String[] LEAST_FIELDS = {"id", "object", "created_at", "model", "status", "progress"};

    /** Of an answer that has our id; null where it is none. */
    static @Nullable JobEntry of(byte[] answer) {
        try {
            JsonNode read = JSON.readTree(answer);
            if (!(read instanceof ObjectNode job) || !job.path("id").isTextual()) return null;
            String id = job.path("id").asText();
            if (!id.startsWith(JobKind.VIDEO.prefix())) return null;
            if (job.has("status")) job.put("status", "unknown");
            String all = job.toString();
            return new JobEntry(id, bytes(all) <= MOST_KEPT ? all : least(job));
        } catch (JsonProcessingException e) {
            return null;
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static String least(ObjectNode job) {
        ObjectNode least = JSON.createObjectNode();
        for (String field : LEAST_FIELDS) {
            JsonNode value = job.path(field);
            if (value.isValueNode() && bytes(value.toString()) <= MOST_KEPT / 2) least.set(field, value);
        }
        String text = least.toString();
        return bytes(text) <= MOST_KEPT
                ? text
                : JSON.createObjectNode().set("id", job.get("id")).toString();
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
