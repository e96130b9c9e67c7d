package dev.penstock.router.explain;

import dev.penstock.core.pick.Routing;

/** How a decision came out, as {@code x-penstock-decision} and the decisions page say it. */
public final class ReasonCode {
    private ReasonCode() {}

    public static String of(Routing.Reason reason) {
        return switch (reason) {
            case LEAST_REQUEST -> "least-request";
            case PANIC -> "panic";
            case UNKNOWN_MODEL, NO_REPLICA -> "refused";
        };
    }
}
