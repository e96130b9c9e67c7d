package dev.penstock.model;

/** The serving software in a replica. {@code AUTO} asks the collector to find out; {@code UNKNOWN} is a value of a newer writer. */
public enum EngineKind {
    UNKNOWN,
    AUTO,
    VLLM,
    SGLANG
}
