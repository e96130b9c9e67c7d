package dev.penstock.enginesim.metrics;

/** Which generation of vLLM's metric names an engine shows. */
public enum MetricDialect {
    /** vLLM 0.15 and later. */
    NEW("new"),
    /**
     * Before the renames of 2025: {@code gpu_cache_usage_perc}, {@code gpu_prefix_cache_*},
     * {@code time_per_output_token_seconds}; no waiting_by_reason, sleep state, tokens by source or per-request TPOT.
     */
    OLD("old");

    private final String option;

    MetricDialect(String option) {
        this.option = option;
    }

    /** As written on the command line. */
    public String option() {
        return option;
    }
}
