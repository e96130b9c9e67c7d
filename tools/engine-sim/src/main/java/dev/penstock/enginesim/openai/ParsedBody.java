package dev.penstock.enginesim.openai;

/** A request body, read. */
public sealed interface ParsedBody {
    record Valid(GenerationRequest request) implements ParsedBody {}

    record Invalid(ErrorReply reply) implements ParsedBody {}
}
