package dev.penstock.testkit;

import java.util.List;
import java.util.Map;

/**
 * A span as a collector sees it.
 *
 * @param parentId empty for a root
 * @param kind INTERNAL, SERVER or CLIENT
 * @param error the description of its error, or empty when its status is not ERROR
 * @param attributes values are String, Boolean, Long or Double
 * @param resource attributes of who sent it
 */
public record ReceivedSpan(
        String name,
        String kind,
        String traceId,
        String spanId,
        String parentId,
        String traceState,
        long startEpochNanos,
        long endEpochNanos,
        Map<String, Object> attributes,
        List<Event> events,
        String error,
        Map<String, Object> resource) {

    /** Something that happened at a moment of it. */
    public record Event(String name, Map<String, Object> attributes) {}
}
