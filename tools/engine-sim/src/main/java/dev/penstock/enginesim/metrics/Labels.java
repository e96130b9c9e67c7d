package dev.penstock.enginesim.metrics;

import java.util.Map;
import java.util.TreeMap;

/** Label sets in page form: {@code {engine="0",model_name="m"}}, alphabetical and escaped. */
final class Labels {
    private Labels() {}

    static String text(Map<String, String> labels) {
        if (labels.isEmpty()) {
            return "";
        }
        StringBuilder out = new StringBuilder("{");
        new TreeMap<>(labels).forEach((name, value) -> {
            if (out.length() > 1) {
                out.append(',');
            }
            out.append(name).append("=\"").append(escaped(value)).append('"');
        });
        return out.append('}').toString();
    }

    static Map<String, String> with(Map<String, String> labels, String name, String value) {
        Map<String, String> more = new TreeMap<>(labels);
        more.put(name, value);
        return more;
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\n", "\\n").replace("\"", "\\\"");
    }
}
