package dev.penstock.enginesim.openai;

/**
 * An error in an engine's own words.
 *
 * @param json the body
 * @param streamJson what a stream's error event says, which on SGLang has another shape
 */
public record ErrorReply(int status, String json, String streamJson) {
    String event() {
        return "data: " + streamJson + "\n\n";
    }
}
