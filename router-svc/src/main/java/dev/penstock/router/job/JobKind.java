package dev.penstock.router.job;

/** What an engine keeps under an id. */
public enum JobKind {
    /** A stored answer of {@code /v1/responses}. */
    RESPONSE("resp_", "The response"),
    VIDEO("video_", "The video");

    private final String prefix;
    private final String noun;

    JobKind(String prefix, String noun) {
        this.prefix = prefix;
        this.noun = noun;
    }

    /** What clients expect its ids to begin with. */
    String prefix() {
        return prefix;
    }

    /** As errors call one. */
    String noun() {
        return noun;
    }
}
