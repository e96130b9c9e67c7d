package dev.penstock.enginesim.vllm;

/** The version of vLLM that is imitated. */
final class VllmVersion {
    static final String VERSION = "0.27.0";
    static final String FINGERPRINT = "vllm-" + VERSION + "-sim";

    private VllmVersion() {}
}
