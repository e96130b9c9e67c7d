package dev.penstock.cli.load;

import org.jspecify.annotations.Nullable;

/** The routed lane, and the direct one if there was one. */
public record LoadReport(LaneReport routed, @Nullable LaneReport direct) {
    public boolean failed() {
        return routed.failed() || (direct != null && direct.failed());
    }
}
