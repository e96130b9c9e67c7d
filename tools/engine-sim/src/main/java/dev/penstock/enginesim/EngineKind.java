package dev.penstock.enginesim;

import java.util.Locale;

/** Whose API an engine speaks. */
public enum EngineKind {
    VLLM,
    SGLANG,
    /** Of a fleet: engines of even numbers are vLLM, of odd ones SGLang. */
    MIXED;

    /** What the engine of that number is in a fleet of this kind. */
    public EngineKind of(int number) {
        return this == MIXED ? number % 2 == 0 ? VLLM : SGLANG : this;
    }

    /** As written on the command line and in an engine's state. */
    public String option() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The kind of that name.
     *
     * @throws IllegalArgumentException that lists the known ones
     */
    public static EngineKind named(String option) {
        for (EngineKind kind : values()) {
            if (kind.option().equals(option)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("engine kind: expected vllm, sglang or mixed, got '" + option + "'");
    }
}
