package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A router's decisions page as a person reads it. */
final class DecisionText {
    private static final int WIDTH = 120;
    private static final String WHERE_TO_CUT = "(?<=,|idle:) | (?=\\(worth |and \\d)";

    private final JsonNode page;

    DecisionText(JsonNode page) {
        this.page = page;
    }

    String render() {
        StringBuilder text = new StringBuilder(page.path("id").asText());
        text.append(", decided by ").append(page.path("router").asText()).append('\n');
        for (JsonNode attempt : page.path("attempts")) render(attempt, text);
        return text.toString();
    }

    private static void render(JsonNode attempt, StringBuilder text) {
        text.append("\nAttempt ").append(attempt.path("attempt").asInt()).append(", ");
        text.append(
                String.format(Locale.ROOT, "%.1f s ago", attempt.path("agoMs").asLong() / 1000.0));
        text.append(", view ").append(attempt.path("viewVersion").asLong()).append(": ");
        text.append(attempt.path("picked").isTextual() ? attempt.path("picked").asText() + ", " : "");
        text.append(reason(attempt)).append(".\n");
        if (attempt.path("degraded").asBoolean()) {
            text.append("Degraded: most of the pool's telemetry was not fresh, so staleness counted against nobody.\n");
        }
        text.append(counts(attempt.path("counts")))
                .append(' ')
                .append(madeAgain(attempt))
                .append('\n');
        if (!attempt.path("candidates").isEmpty()) text.append('\n').append(table(attempt.path("candidates")));
    }

    private static String reason(JsonNode attempt) {
        return switch (attempt.path("reason").asText()) {
            case "strategy" -> "by " + strategy(attempt);
            case "contended" -> "contended: the index was in use, so a few were drawn, then by " + strategy(attempt);
            case "panic" -> "panic: all are excluded, so the best of them by " + strategy(attempt);
            case "bound" -> "bound: nobody else has what it goes on from";
            case "unknown_model" -> "refused: unknown model";
            case "no_replica" -> "refused: no replica left to send to";
            case "no_slot" -> "no slot: all that this router has there are used";
            default -> attempt.path("decision").asText();
        };
    }

    private static String strategy(JsonNode attempt) {
        String name = attempt.path("strategy").asText(attempt.path("decision").asText());
        int k = attempt.path("k").asInt();
        boolean first = k == 1 || attempt.path("candidates").valueStream().anyMatch(DecisionText::wonByWarmth);
        String least = unlike(attempt.path("candidates")) ? "least score" : "least loaded";
        String from = first
                ? " (the " + least + ")"
                : " (an even draw of the " + k + " " + least + (unlike(attempt.path("candidates")) ? "s" : "")
                        + " within " + attempt.path("epsilon").asText() + ")";
        return switch (name) {
            case "weighted" -> "the least weighted score (" + weights(attempt.path("weights")) + ")";
            case "load-balance", "prefix-cache", "session-affinity", "least-request-top-k" -> name + from;
            default -> name;
        };
    }

    /** The first is picked outright if it has a credit. */
    private static boolean wonByWarmth(JsonNode candidate) {
        return candidate.path("picked").asBoolean()
                && candidate.has("credit")
                && !candidate.path("wouldWin").asText().contains("near-ties");
    }

    /** True when candidates were not told apart by their load alone. */
    private static boolean unlike(JsonNode candidates) {
        return candidates.valueStream().anyMatch(each -> each.has("credit"))
                || candidates
                                .valueStream()
                                .map(each -> String.format(
                                        Locale.ROOT, "%.2f", each.path("weight").asDouble(1)))
                                .distinct()
                                .count()
                        > 1;
    }

    private static String weights(JsonNode weights) {
        List<String> terms = new ArrayList<>();
        weights.properties().forEach(each -> terms.add(each.getKey() + " " + number(each.getValue())));
        return String.join(", ", terms);
    }

    private static String madeAgain(JsonNode attempt) {
        if (attempt.path("agrees").asBoolean()) return "Made again: agrees.";
        return "Made again from the record it is " + attempt.path("reDecided").asText("a refusal")
                + ": please report this.";
    }

    private static String table(JsonNode candidates) {
        String table = table(candidates, false);
        boolean fits = table.lines().allMatch(line -> line.length() <= WIDTH);
        return (fits ? table : table(candidates, true)) + "> picked, = a near-tie of it\n";
    }

    /** @param narrow the ways to win are cut at their commas and before asides */
    private static String table(JsonNode candidates, boolean narrow) {
        boolean scores = unlike(candidates);
        boolean warm = candidates.valueStream().anyMatch(each -> !warmth(each).isEmpty());
        List<String> heads = new ArrayList<>(List.of(" ", "REPLICA", ">OWN", ">PEERS", ">BIAS", ">LOAD"));
        if (scores) heads.add(">SCORE");
        if (warm) heads.add("WARM");
        heads.addAll(List.of(">KV", ">WAIT", ">AGE", "STANDING", "WOULD WIN"));
        TextTable table = new TextTable(heads.toArray(String[]::new));
        int rank = 0;
        for (JsonNode each : candidates) {
            String way = each.path("wouldWin").asText();
            String[] lines = narrow ? way.split(WHERE_TO_CUT) : new String[] {way};
            List<String> cells = new ArrayList<>(List.of(
                    mark(each) + ++rank,
                    each.path("replica").asText(),
                    each.path("own").asText(),
                    number(each.path("peers")),
                    bias(each),
                    number(each.path("load"))));
            if (scores) cells.add(each.has("score") ? number(each.path("score")) : "-");
            if (warm) cells.add(warmth(each));
            cells.addAll(List.of(
                    each.has("kvUsed") ? Math.round(100 * each.path("kvUsed").asDouble()) + "%" : "-",
                    each.path("waiting").asText("-"),
                    age(each),
                    each.path("why").asText(),
                    lines[0]));
            table.row(cells.toArray(String[]::new));
            for (int i = 1; i < lines.length; i++) table.row(below(lines[i], cells.size()));
        }
        return table.render();
    }

    private static String[] below(String text, int columns) {
        String[] cells = new String[columns];
        Arrays.fill(cells, "");
        cells[columns - 1] = text;
        return cells;
    }

    /** What it has of the request's session and prompt. */
    private static String warmth(JsonNode candidate) {
        List<String> parts = new ArrayList<>();
        if (candidate.has("session")) parts.add(candidate.path("session").asText());
        long percent = Math.round(100 * candidate.path("prefixHit").asDouble());
        if (percent > 0) parts.add("prefix " + percent + "%");
        return String.join(", ", parts);
    }

    private static String mark(JsonNode candidate) {
        if (candidate.path("picked").asBoolean()) return ">";
        return candidate.path("nearTie").asBoolean() ? "=" : " ";
    }

    private static String bias(JsonNode candidate) {
        List<String> causes = new ArrayList<>();
        for (JsonNode cause : candidate.path("biasCauses")) {
            causes.add(cause.asText().equals("slowStart") ? "slow start" : cause.asText());
        }
        String bias = number(candidate.path("bias"));
        return causes.isEmpty() ? bias : String.join(", ", causes) + " " + bias;
    }

    private static String age(JsonNode candidate) {
        String freshness = candidate.path("freshness").asText();
        if (!candidate.has("ageMs")) return freshness;
        String age = candidate.path("ageMs").asText() + " ms";
        return freshness.equals("fresh") ? age : freshness + " " + age;
    }

    private static String counts(JsonNode counts) {
        List<String> excluded = new ArrayList<>();
        count(counts, "ramping", "ramping and full for now", excluded);
        count(counts, "noSlot", "without a free slot", excluded);
        count(counts, "soft", "soft verdict", excluded);
        count(counts, "quarantined", "quarantined by this router", excluded);
        count(counts, "hard", "hard verdict", excluded);
        count(counts, "excludedNoSlot", "excluded and without a free slot", excluded);
        count(counts, "tried", "tried before", excluded);
        count(counts, "notCandidate", "not candidates (never seen fresh, or asleep)", excluded);
        return counts.path("routable").asInt() + " routable, excluded: "
                + (excluded.isEmpty() ? "none" : String.join(", ", excluded)) + ".";
    }

    private static void count(JsonNode counts, String key, String words, List<String> excluded) {
        int count = counts.path(key).asInt();
        if (count > 0) excluded.add(count + " " + words);
    }

    /** Fractions only where there are some. */
    private static String number(JsonNode value) {
        double number = value.asDouble();
        return number == Math.rint(number) ? String.valueOf((long) number) : String.format(Locale.ROOT, "%.2f", number);
    }
}
