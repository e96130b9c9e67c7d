package dev.penstock.router.explain;

import dev.penstock.core.explain.Decision.Candidate;
import dev.penstock.core.pick.Standing;
import dev.penstock.core.pick.Warmth;
import dev.penstock.core.view.Bias;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What things are called in answers to people. */
final class Words {
    private static final String HAS_SESSION = "has the session";

    private static final double LEAST_TOLD = 1.05;

    private Words() {}

    static String of(Standing standing) {
        return switch (standing) {
            case ROUTABLE -> "routable";
            case RAMPING -> "ramping";
            case NO_SLOT -> "no free slot";
            case SOFT -> "soft verdict";
            case QUARANTINED -> "quarantined";
            case HARD -> "hard verdict";
            case EXCLUDED_NO_SLOT -> "excluded, no free slot";
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
     * @param candidate the one that it is about
     * @param winner the picked one's name, null when there is none
     */
    static String of(WayToWin way, Candidate candidate, @Nullable String winner) {
        return switch (way) {
            case WayToWin.Won won -> of(won, candidate);
            case WayToWin.AnotherDraw draw -> "with another draw of the " + draw.nearTies() + " near-ties";
            case WayToWin.Changed changed -> of(changed, candidate.biasCauses(), winner);
            case WayToWin.NotEvenIdle idle -> of(idle, candidate, winner);
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

    private static String of(WayToWin.Won won, Candidate winner) {
        if (won.lookedAt() == 1) return "won: the only one looked at";
        if (won.like() == 1) return "won: no other stood as well";
        if (won.by() != null)
            return "won: the least score, mostly by " + won.by().key();
        if (won.nearTies() > 1) return "won: drawn of " + won.nearTies() + " near-ties";
        return switch (won.what()) {
            case LEAST_LOADED -> "won: the least loaded";
            case LEAST_SCORE -> "won: the least score";
            case WARMTH -> "won: " + has(winner.warmth(), Warmth.NONE);
        };
    }

    private static String of(WayToWin.NotEvenIdle idle, Candidate candidate, @Nullable String name) {
        Candidate winner = idle.winner();
        List<String> reasons = new ArrayList<>();
        if (idle.warmth()) {
            reasons.add(String.format(
                    Locale.ROOT,
                    "%s %s (worth %.1f requests)",
                    name,
                    has(winner.warmth(), candidate.warmth()),
                    (winner.creditMilli() - candidate.creditMilli()) / 1e3));
        }
        if (idle.weight()) {
            double times = (double) candidate.weight() / winner.weight();
            // A few hundredths decide nothing beside warmth, and are not worth a reader's time.
            if (times >= LEAST_TOLD || reasons.isEmpty())
                reasons.add(String.format(Locale.ROOT, "a request weighs %.3g times as much as at %s", times, name));
        }
        String whole = "not even idle: " + String.join(", and ", reasons);
        if (idle.moreAtWinner() > 0) whole += ", or " + idle.moreAtWinner() + " more at " + name;
        return joined(idle.freedFrom(), whole);
    }

    /** What one replica has of a request's session and prompt, as far as it is more than another has. */
    private static String has(int warmth, int other) {
        Warmth.Tie tie = Warmth.tie(warmth);
        int hit = Warmth.hitMilli(warmth);
        List<String> parts = new ArrayList<>();
        if (tie.compareTo(Warmth.tie(other)) > 0) {
            parts.add(
                    switch (tie) {
                        case NONE -> throw new IllegalArgumentException("nothing is more than nothing");
                        case SECOND -> "is the session's second place";
                        case FIRST -> "is the session's first place";
                        case PINNED -> HAS_SESSION;
                    });
        }
        boolean hasSession = parts.contains(HAS_SESSION);
        if (hit > Warmth.hitMilli(other))
            parts.add((hasSession ? "" : "has ") + Math.round(hit / 10.0) + " % of the prompt");
        return String.join(" and ", parts);
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
                    case NO_SLOT -> "with a free slot";
                    case SOFT -> "without its soft verdict";
                    case QUARANTINED -> "without this router's quarantine";
                    case HARD -> "without its hard verdict";
                    case EXCLUDED_NO_SLOT -> "with a free slot and nothing against it";
                    case TRIED -> "had it not been tried";
                    case NOT_CANDIDATE -> "were it a candidate (fresh once, awake)";
                };
        return rest.isEmpty() ? freed : freed + ", " + rest;
    }
}
