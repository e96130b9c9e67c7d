package dev.penstock.fleetsim;

import java.util.ArrayList;
import java.util.List;

/** What routers have published of prefixes: retained, for a router that starts. */
final class PrefixTopic {
    private final List<Record> records = new ArrayList<>();

    record Record(long atNanos, PrefixNews news) {}

    void append(long nowNanos, PrefixNews news) {
        records.add(new Record(nowNanos, news));
    }

    List<Record> since(long fromNanos) {
        return records.stream().filter(each -> each.atNanos >= fromNanos).toList();
    }
}
