package dev.penstock.router.explain;

import dev.penstock.core.pick.Standing;
import dev.penstock.core.view.Bias;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What things are called in answers to people. */
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

    static List<Bias> causes(int causes) {
        return Arrays.stream(Bias.values()).filter(each -> each.in(causes)).toList();
    }

    static String key(Bias cause) {
        return switch (cause) {
            case SLOW_START -> "slowStart";
            case RAMP -> "ramp";
            case STALE -> "stale";
            case QUEUED -> "queued";
        };
    }

    private static String of(Bias cause) {
        return switch (cause) {
            case SLOW_START -> "slow start";
            case RAMP -> "ramp";
            case STALE -> "stale";
            case QUEUED -> "queued";
        };
    }

    /**
     * Goes on after "this one would win ..."; of the picked one it says what it won.
     *
     * @param causes of the candidate's bias
     * @param winner the picked one's name, null when there is none
     */
    static String of(WayToWin way, int causes, @Nullable String winner) {
        return switch (way) {
            case WayToWin.Won won -> of(won);
            case WayToWin.AnotherDraw draw -> "with another draw of the " + draw.nearTies() + " near-ties";
            case WayToWin.Changed changed -> of(changed, causes, winner);
            case WayToWin.Outscored outscored ->
                joined(
                        outscored.freedFrom(),
                        String.format(
                                Locale.ROOT,
                                "with %.3f less score, mostly of %s",
                                outscored.behind(),
                                outscored.by().key()));
        };
    }

    private static String of(WayToWin.Won won) {
        if (won.lookedAt() == 1) return "won: the only one looked at";
        if (won.like() == 1) return "won: no other stood as well";
        if (won.by() != null)
            return "won: the least score, mostly by " + won.by().key();
        return won.nearTies() == 1 ? "won: the least loaded" : "won: drawn of " + won.nearTies() + " near-ties";
    }

    private static String of(WayToWin.Changed changed, int causes, @Nullable String winner) {
        String bias = changed.withoutBias() ? "without its bias" + why(causes) : "";
        String fewer = changed.fewer() > 0 ? "with " + requests(changed.fewer()) : "";
        String change = bias.isEmpty() || fewer.isEmpty() ? bias + fewer : bias + ", " + fewer;
        String whole = change + luck(changed);
        if (changed.moreAtWinner() > 0) whole += ", or " + changed.moreAtWinner() + " more at " + winner;
        return joined(changed.freedFrom(), whole);
    }

    private static String luck(WayToWin.Changed changed) {
        if (changed.sure() == changed.fewer()) return "";
        if (changed.fewer() == 0) return (changed.withoutBias() ? ", " : "") + "with a lucky draw";
        return changed.sure() == WayToWin.Changed.NEVER ? " and a lucky draw" : " (" + changed.sure() + " for sure)";
    }

    private static String requests(int count) {
        return count == 1 ? "1 fewer request" : count + " fewer requests";
    }

    private static String why(int causes) {
        List<String> words = causes(causes).stream().map(Words::of).toList();
        return words.isEmpty() ? "" : " for " + String.join(" and ", words);
    }

    private static String joined(@Nullable Standing freedFrom, String rest) {
        if (freedFrom == null) return rest;
        String freed =
                switch (freedFrom) {
                    case ROUTABLE -> throw new IllegalArgumentException("nobody is excluded by being routable");
                    case RAMPING -> "without its ramp's limit";
                    case SOFT -> "without its soft verdict";
                    case QUARANTINED -> "without this router's quarantine";
                    case HARD -> "without its hard verdict";
                    case TRIED -> "had it not been tried";
                    case NOT_CANDIDATE -> "were it a candidate (fresh once, awake)";
                };
        return rest.isEmpty() ? freed : freed + ", " + rest;
    }
}
