package dev.penstock.enginesim.openai;

/** Which engine's habits an answer follows where both engines build it alike. */
public enum ApiStyle {
    VLLM,
    SGLANG
}
