package dev.penstock.testkit;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** OTLP's {@code ExportTraceServiceRequest}, read by field numbers: its schema is no dependency. */
final class OtlpSpans {
    private static final List<String> KINDS = List.of("UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT");
    private static final long ERROR = 2;

    private OtlpSpans() {}

    static List<ReceivedSpan> parse(byte[] body) throws InvalidProtocolBufferException {
        List<ReceivedSpan> spans = new ArrayList<>();
        for (UnknownFieldSet resourceSpans : messages(UnknownFieldSet.parseFrom(body), 1)) {
            Map<String, Object> resource = new LinkedHashMap<>();
            for (UnknownFieldSet each : messages(resourceSpans, 1)) resource.putAll(attributes(each, 1));
            for (UnknownFieldSet scopeSpans : messages(resourceSpans, 2)) {
                for (UnknownFieldSet span : messages(scopeSpans, 2)) spans.add(span(span, resource));
            }
        }
        return spans;
    }

    private static ReceivedSpan span(UnknownFieldSet span, Map<String, Object> resource)
            throws InvalidProtocolBufferException {
        List<ReceivedSpan.Event> events = new ArrayList<>();
        for (UnknownFieldSet event : messages(span, 11)) {
            events.add(new ReceivedSpan.Event(text(event, 2), attributes(event, 3)));
        }
        String error = "";
        for (UnknownFieldSet status : messages(span, 15)) {
            if (number(status, 3) == ERROR) error = text(status, 2);
        }
        return new ReceivedSpan(
                text(span, 5),
                KINDS.get((int) number(span, 6)),
                hex(span, 1),
                hex(span, 2),
                hex(span, 4),
                text(span, 3),
                fixed(span, 7),
                fixed(span, 8),
                attributes(span, 9),
                events,
                error,
                resource);
    }

    private static Map<String, Object> attributes(UnknownFieldSet message, int field)
            throws InvalidProtocolBufferException {
        Map<String, Object> attributes = new LinkedHashMap<>();
        for (UnknownFieldSet pair : messages(message, field)) {
            for (UnknownFieldSet value : messages(pair, 2)) attributes.put(text(pair, 1), value(value));
        }
        return attributes;
    }

    private static Object value(UnknownFieldSet any) {
        if (any.hasField(2)) return number(any, 2) != 0;
        if (any.hasField(3)) return number(any, 3);
        if (any.hasField(4)) return Double.longBitsToDouble(fixed(any, 4));
        return text(any, 1);
    }

    private static List<UnknownFieldSet> messages(UnknownFieldSet message, int field)
            throws InvalidProtocolBufferException {
        List<UnknownFieldSet> messages = new ArrayList<>();
        for (var bytes : message.getField(field).getLengthDelimitedList()) {
            messages.add(UnknownFieldSet.parseFrom(bytes));
        }
        return messages;
    }

    private static String text(UnknownFieldSet message, int field) {
        var values = message.getField(field).getLengthDelimitedList();
        return values.isEmpty() ? "" : values.getLast().toStringUtf8();
    }

    private static String hex(UnknownFieldSet message, int field) {
        var values = message.getField(field).getLengthDelimitedList();
        return values.isEmpty() ? "" : HexFormat.of().formatHex(values.getLast().toByteArray());
    }

    private static long number(UnknownFieldSet message, int field) {
        var values = message.getField(field).getVarintList();
        return values.isEmpty() ? 0 : values.getLast();
    }

    private static long fixed(UnknownFieldSet message, int field) {
        var values = message.getField(field).getFixed64List();
        return values.isEmpty() ? 0 : values.getLast();
    }
}
