package dev.penstock.core.health;

import dev.penstock.core.quarantine.FailureOdds;
import java.util.List;

/** What a judgement needs to know beyond the replica. */
interface PoolView {
    /** Names of live routers, sorted. */
    List<String> routers();

    /** The pool's base failure rate, as steps of failure sums. */
    FailureOdds odds();

    /** Whether the pool stays routable enough with one replica less. */
    boolean softRoom();

    /** Fewer are routable than panic allows: ejections do not lengthen terms. */
    boolean panic();

    /** Telemetry comes at all: without, nobody's being STALE says anything. */
    boolean telemetryFlows();
}
