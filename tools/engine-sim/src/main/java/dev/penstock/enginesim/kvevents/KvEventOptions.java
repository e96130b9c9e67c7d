package dev.penstock.enginesim.kvevents;

/**
 * How engines publish KV events.
 *
 * @param portBase engine i publishes at this port + 2 i and tells events again at the next one; 0 = any free ones
 * @param maps events as maps, as vLLM has them since 2026, instead of arrays with a leading tag; SGLang has arrays only
 * @param intHashes hashes as numbers of 64 bits instead of 32 bytes; SGLang has numbers only
 * @param replaySteps messages that are kept to be told again: {@code buffer_steps}
 */
public record KvEventOptions(int portBase, boolean maps, boolean intHashes, int replaySteps) {
    private static final int DEFAULT_REPLAY_STEPS = 10_000;
    private static final int LAST_PORT = 65_535;

    public KvEventOptions {
        if (portBase < 0 || portBase >= LAST_PORT) {
            throw new IllegalArgumentException("--kv-events: expected 0 to 65534, got " + portBase);
        }
        if (replaySteps < 1) {
            throw new IllegalArgumentException("replay steps: expected 1 or more, got " + replaySteps);
        }
    }

    /** Arrays and bytes, on any free ports. */
    public static KvEventOptions onAnyPorts() {
        return new KvEventOptions(0, false, false, DEFAULT_REPLAY_STEPS);
    }

    public static KvEventOptions of(int portBase, String format, String hashes) {
        return new KvEventOptions(
                portBase,
                either("--kv-events-format", format, "array", "map"),
                either("--kv-events-hashes", hashes, "bytes", "int"),
                DEFAULT_REPLAY_STEPS);
    }

    /** True for the second. */
    private static boolean either(String option, String value, String first, String second) {
        if (value.equals(first)) return false;
        if (value.equals(second)) return true;
        throw new IllegalArgumentException(option + ": expected " + first + " or " + second + ", got '" + value + "'");
    }
}
