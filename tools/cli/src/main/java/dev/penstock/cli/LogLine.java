package dev.penstock.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/**
 * A line of a log: Logback's JSON, or whatever else was written there, which is shown as it is.
 *
 * @param timestamp in milliseconds, or {@link #NO_TIME}
 */
record LogLine(@Nullable String service, long timestamp, String text) {
    static final long NO_TIME = -1;

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneId.systemDefault());

    static LogLine parse(String line) {
        if (!line.startsWith("{")) return new LogLine(null, NO_TIME, line);
        try {
            return of(Json.MAPPER.readTree(line));
        } catch (JsonProcessingException e) {
            return new LogLine(null, NO_TIME, line);
        }
    }

    private static LogLine of(JsonNode event) {
        String service = null;
        StringBuilder keyValues = new StringBuilder();
        for (JsonNode pair : event.path("kvpList")) {
            for (var entry : pair.properties()) {
                if (entry.getKey().equals("service")) service = entry.getValue().asText();
                else
                    keyValues
                            .append(' ')
                            .append(entry.getKey())
                            .append('=')
                            .append(entry.getValue().asText());
            }
        }
        if (service == null && event.has("service"))
            service = event.path("service").asText();
        String message =
                event.path("formattedMessage").asText(event.path("message").asText());
        String text = String.format(
                "%s %-5s %-12s %s%s",
                TIME.format(Instant.ofEpochMilli(event.path("timestamp").asLong())),
                event.path("level").asText(),
                service == null ? "-" : service,
                message,
                keyValues);
        return new LogLine(service, event.path("timestamp").asLong(NO_TIME), text + throwable(event.path("throwable")));
    }

    private static String throwable(JsonNode thrown) {
        if (!thrown.isObject()) return "";
        StringBuilder text =
                new StringBuilder("\n    ").append(thrown.path("className").asText());
        if (thrown.hasNonNull("message"))
            text.append(": ").append(thrown.path("message").asText());
        int shown = 0;
        for (JsonNode step : thrown.path("stepArray")) {
            if (shown++ == 5) break;
            text.append("\n      at ").append(step.path("className").asText());
            text.append('.').append(step.path("methodName").asText());
            text.append(':').append(step.path("lineNumber").asText());
        }
        return text + throwable(thrown.path("cause"));
    }

    /** Whether {@code logs NAME} shows it: {@code router} shows {@code router-0} and {@code router-1}. */
    boolean isOf(String wanted) {
        return service != null && (service.equals(wanted) || service.startsWith(wanted + "-"));
    }
}
