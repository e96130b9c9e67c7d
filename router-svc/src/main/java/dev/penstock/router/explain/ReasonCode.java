package dev.penstock.router.explain;

import dev.penstock.core.pick.Routing;

/** How a decision came out, as {@code x-penstock-decision} and the decisions page say it. */
public final class ReasonCode {
    private ReasonCode() {}

    /** @param strategy its name, which is the reason unless something got in its way */
    public static String of(Routing.Reason reason, String strategy) {
        return switch (reason) {
            case STRATEGY -> strategy;
            case CONTENDED -> "contended";
            case PANIC -> "panic";
            case BOUND -> "bound";
            case UNKNOWN_MODEL, NO_REPLICA, NO_SLOT -> "refused";
        };
    }
}
