package dev.penstock.enginesim.media;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.enginesim.openai.Dialect;
import dev.penstock.enginesim.openai.GenerationRequest;
import dev.penstock.enginesim.openai.JsonText;
import dev.penstock.enginesim.openai.PseudoBytes;
import dev.penstock.enginesim.openai.Words;
import java.util.Base64;

/** Whole answers about sound and images. Pure. */
public final class MediaBody {
    /** 16-bit samples at 16 kHz. */
    private static final long BYTES_PER_SECOND = 32_000;
    /** A small PNG; base64 makes it 16 kB. */
    private static final int IMAGE_BYTES = 12_288;

    private MediaBody() {}

    /** A transcription's or translation's. */
    public static String text(GenerationRequest request, Words words, int tokens) {
        long bytes = 0;
        for (JsonNode file : request.body().path("files")) {
            bytes += file.path("bytes").asLong();
        }
        StringBuilder out = new StringBuilder("{\"text\":");
        JsonText.append(out, request.text(words, 0, tokens));
        return out.append(",\"usage\":{\"type\":\"duration\",\"seconds\":")
                .append(Math.ceilDiv(bytes, BYTES_PER_SECOND))
                .append("}}")
                .toString();
    }

    /** Images as base64, whatever they are asked as: there is no place that would serve them. */
    public static String images(GenerationRequest request, Words words, Dialect.Answered answered) {
        StringBuilder out = new StringBuilder(IMAGE_BYTES * 2)
                .append("{\"created\":")
                .append(answered.createdSeconds())
                .append(",\"data\":[");
        for (int i = 0; i < request.sequences(); i++) {
            long key = words.key(request.promptOf(i).text(), i % request.choices());
            out.append(i == 0 ? "" : ",")
                    .append("{\"b64_json\":\"")
                    .append(Base64.getEncoder().encodeToString(PseudoBytes.of(key, IMAGE_BYTES)))
                    .append("\",\"url\":null,\"revised_prompt\":null}");
        }
        return out.append("]}").toString();
    }
}
