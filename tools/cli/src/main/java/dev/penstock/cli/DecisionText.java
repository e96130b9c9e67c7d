package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A router's decisions page as a person reads it. */
final class DecisionText {
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
        text.append("\nAttempt ").append(attempt.path("attempt").asInt()).append(": ");
        text.append(attempt.path("picked").isTextual() ? attempt.path("picked").asText() + ", " : "");
        text.append(reason(attempt)).append(", ");
        text.append(
                String.format(Locale.ROOT, "%.1f s ago", attempt.path("agoMs").asLong() / 1000.0));
        text.append(", view ").append(attempt.path("viewVersion").asLong()).append('\n');
        if (!attempt.path("candidates").isEmpty()) text.append(table(attempt.path("candidates")));
        text.append(counts(attempt.path("counts"))).append('\n');
        text.append(attempt.path("secondChoice").asText()).append('\n');
        if (!attempt.path("agrees").asBoolean(true)) {
            text.append("Decided again from the record it is ")
                    .append(attempt.path("reDecided").asText())
                    .append(": please report this.\n");
        }
    }

    private static String reason(JsonNode attempt) {
        return switch (attempt.path("reason").asText()) {
            case "least_request" -> "the least loaded";
            case "panic" -> "the best of the excluded, as all are";
            case "unknown_model" -> "refused: unknown model";
            case "no_replica" -> "refused: no replica left to send to";
            default -> attempt.path("decision").asText();
        };
    }

    private static String table(JsonNode candidates) {
        TextTable table = new TextTable("  REPLICA", ">OWN", ">PEERS", ">LOAD", ">SIGNAL AGE", "FRESHNESS", "STANDING");
        for (JsonNode each : candidates) {
            table.row(
                    (each.path("picked").asBoolean() ? "> " : "  ")
                            + each.path("replica").asText(),
                    each.path("own").asText(),
                    number(each.path("peers")),
                    number(each.path("load")),
                    each.has("ageMs") ? each.path("ageMs").asText() + " ms" : "-",
                    each.path("freshness").asText(),
                    each.path("why").asText());
        }
        return table.render();
    }

    private static String counts(JsonNode counts) {
        List<String> excluded = new ArrayList<>();
        count(counts, "soft", "soft verdict", excluded);
        count(counts, "quarantined", "quarantined by this router", excluded);
        count(counts, "hard", "hard verdict", excluded);
        count(counts, "tried", "tried before", excluded);
        count(counts, "notCandidate", "not a candidate (never seen fresh, or asleep)", excluded);
        return counts.path("routable").asInt() + " routable; excluded: "
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
