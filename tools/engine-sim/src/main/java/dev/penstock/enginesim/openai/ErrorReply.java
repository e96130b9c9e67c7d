package dev.penstock.enginesim.openai;

/**
 * An error in an engine's own words.
 *
 * @param json the body
 * @param streamJson what a stream's error event says, which on SGLang has another shape
 * @param type as the envelope says it, for envelopes of other APIs
 */
public record ErrorReply(int status, String json, String streamJson, String type, String message) {
    /** The same error in another envelope. */
    public ErrorReply in(String otherJson) {
        return new ErrorReply(status, otherJson, otherJson, type, message);
    }

    public String event() {
        return "data: " + streamJson + "\n\n";
    }
}
