package dev.penstock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/** {@code status} for people: routers, services, models and replicas, a table each. */
final class StatusTable {
    private static final String NONE = "-";
    private final JsonNode status;

    StatusTable(JsonNode status) {
        this.status = status;
    }

    String render() {
        String text = routers() + "\n" + services() + "\n" + roles() + "\n" + models() + "\n" + replicas();
        return text + (status.has("kafka") || status.has("redis") ? "\n" + infrastructure() : "");
    }

    private String routers() {
        TextTable table = new TextTable("ROUTER", "READY", "URL", ">VIEW AGE", ">CPU");
        for (JsonNode router : status.path("routers")) {
            table.row(
                    text(router, "name"),
                    yesNo(router, "ready"),
                    text(router, "url"),
                    millis(router, "viewAgeMs"),
                    cores(router));
        }
        return table.render();
    }

    private String services() {
        TextTable table = new TextTable("SERVICE", "READY", "URL", ">CPU", "REASONS");
        for (JsonNode service : status.path("services")) {
            StringBuilder reasons = new StringBuilder();
            for (JsonNode reason : service.path("reasons")) {
                reasons.append(reasons.isEmpty() ? "" : ", ").append(reason.isTextual() ? reason.asText() : reason);
            }
            table.row(
                    text(service, "name") + "-" + text(service, "instance"),
                    yesNo(service, "ready"),
                    text(service, "url"),
                    cores(service),
                    reasons.toString());
        }
        return table.render();
    }

    private String roles() {
        TextTable table = new TextTable("ROLE", "OWNER", ">EPOCH", ">AGE");
        for (JsonNode role : status.path("roles")) {
            table.row(text(role, "role"), text(role, "owner"), text(role, "epoch"), millis(role, "ageMs"));
        }
        return table.render();
    }

    private String models() {
        TextTable table = new TextTable("MODEL", "POOL", ">REPLICAS", ">ROUTABLE");
        for (JsonNode model : status.path("models")) {
            table.row(text(model, "name"), text(model, "pool"), text(model, "replicas"), text(model, "routable"));
        }
        return table.render();
    }

    private String replicas() {
        TextTable table = new TextTable(
                "REPLICA",
                "VERDICT",
                "LIFECYCLE",
                "FRESHNESS",
                ">AGE",
                ">SCRAPED EACH",
                ">RUNNING",
                ">WAITING",
                ">KV",
                ">CAPACITY",
                ">IN-FLIGHT",
                ">LIMIT",
                ">SHARE");
        long inflight = 0;
        for (JsonNode replica : status.path("replicas"))
            inflight += replica.path("inflight").asLong();
        for (JsonNode replica : status.path("replicas")) {
            table.row(
                    text(replica, "name"),
                    verdict(replica),
                    text(replica, "lifecycle"),
                    text(replica, "freshness"),
                    millis(replica, "ageMs"),
                    millis(replica, replica.hasNonNull("scrapeMs") ? "scrapeMs" : "intervalMs"),
                    text(replica, "running"),
                    text(replica, "waiting"),
                    replica.path("kvUsed").isNumber()
                            ? percent(replica.path("kvUsed").asDouble())
                            : NONE,
                    capacity(replica),
                    text(replica, "inflight"),
                    text(replica, "limit"),
                    inflight == 0 ? NONE : percent(replica.path("inflight").asDouble() / inflight));
        }
        return table.render();
    }

    /** A router's own quarantine where it says more than the verdict. */
    private static String verdict(JsonNode replica) {
        String quarantine = replica.path("quarantine").asText("none");
        String verdict = text(replica, "verdict");
        return quarantine.equals("none") ? verdict : verdict + ", quarantine " + quarantine;
    }

    private String infrastructure() {
        return "kafka " + upDown("kafka") + ", redis " + upDown("redis") + "\n";
    }

    private String upDown(String name) {
        return status.path(name).path("up").asBoolean() ? "up" : "DOWN";
    }

    private static String text(JsonNode node, String field) {
        JsonNode value = node.path(field);
        return value.isMissingNode() || value.isNull() ? NONE : value.asText();
    }

    private static String yesNo(JsonNode node, String field) {
        return node.path(field).asBoolean() ? "yes" : "NO";
    }

    private static String millis(JsonNode node, String field) {
        JsonNode value = node.path(field);
        if (!value.isNumber()) return NONE;
        return value.asLong() < 10_000 ? value.asLong() + " ms" : value.asLong() / 1000 + " s";
    }

    private static String cores(JsonNode node) {
        JsonNode value = node.path("cpuCores");
        return value.isNumber() ? String.format(Locale.ROOT, "%.2f", value.asDouble()) : NONE;
    }

    /** 1.00 = the pool's mean. */
    private static String capacity(JsonNode replica) {
        JsonNode value = replica.path("capacity");
        return value.isNumber() ? String.format(Locale.ROOT, "%.2f", value.asDouble()) : NONE;
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f%%", share * 100);
    }
}
