package dev.penstock.relaybench;

import java.util.HashMap;
import java.util.Map;

/** How many objects of each class a JVM holds after a full collection. */
record LiveObjects(Map<String, Long> classToCount) {
    private static final int COLUMNS = 4;

    /** @param histogram rank, objects, bytes and class a line, between a head and a total */
    static LiveObjects of(String histogram) {
        Map<String, Long> classToCount = new HashMap<>();
        for (String line : histogram.lines().toList()) {
            String[] columns = line.strip().split("\\s+", COLUMNS);
            if (columns.length == COLUMNS && columns[0].endsWith(":")) {
                // A class of two loaders has two lines.
                classToCount.merge(columns[3], Long.parseLong(columns[1]), Long::sum);
            }
        }
        return new LiveObjects(classToCount);
    }

    /** Of the classes whose names begin so, and arrays of them, the one that has grown most since, and by how many objects. */
    Map.Entry<String, Long> mostGrownSince(LiveObjects before, String names) {
        Map.Entry<String, Long> most = Map.entry("none", 0L);
        for (Map.Entry<String, Long> each : classToCount.entrySet()) {
            if (!element(each.getKey()).startsWith(names)) continue;
            long grown = each.getValue() - before.classToCount.getOrDefault(each.getKey(), 0L);
            if (grown > most.getValue()) most = Map.entry(each.getKey(), grown);
        }
        return most;
    }

    /** {@code [[Lx.Y;} is an array of arrays of x.Y. */
    private static String element(String name) {
        int brackets = name.lastIndexOf('[') + 1;
        return brackets > 0 && name.startsWith("L", brackets) ? name.substring(brackets + 1) : name;
    }
}
