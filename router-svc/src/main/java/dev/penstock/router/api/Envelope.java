package dev.penstock.router.api;

/** The two ways in which clients expect an error to be worded. */
public enum Envelope {
    OPENAI,
    ANTHROPIC
}
