package dev.penstock.router.stream;

/** How an API words its answers: what its events are called, and what ends a stream well. */
public enum Framing {
    /** {@code data:} lines with choices; every choice gets a finish_reason, then {@code [DONE]}. */
    CHAT,
    /** Named events; {@code response.completed} or {@code response.incomplete} ends one, no {@code [DONE]}. */
    RESPONSES,
    /** Anthropic's named events; {@code message_stop} ends one, no {@code [DONE]}. */
    MESSAGES,
    /** Anything else: a clean end without an error is all that is asked. */
    OTHER
}
