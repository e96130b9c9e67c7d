package dev.penstock.router.explain;

import dev.penstock.core.pick.Standing;

/** What standings are called in answers to people. */
final class Words {
    private Words() {}

    static String of(Standing standing) {
        return switch (standing) {
            case ROUTABLE -> "routable";
            case RAMPING -> "ramping";
            case SOFT -> "soft verdict";
            case QUARANTINED -> "quarantined";
            case HARD -> "hard verdict";
            case TRIED -> "tried";
            case NOT_CANDIDATE -> "not a candidate";
        };
    }
}
