package dev.penstock.enginesim.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;

/** Collects families in page order while a page is wired. */
final class FamilyList {
    /** One value of the label that splits a family. */
    record Part(String labelValue, DoubleSupplier number) {}

    private final Map<String, String> labels;
    private final List<Family> families = new ArrayList<>();

    /** @param labels what every family gets unless it brings its own */
    FamilyList(Map<String, String> labels) {
        this.labels = labels;
    }

    void gauge(String name, String help, DoubleSupplier value) {
        add(name, "gauge", help, SampleLine.of(name, labels, value));
    }

    void counter(String name, String help, DoubleSupplier value) {
        add(name, "counter", help, SampleLine.of(name, labels, value));
    }

    /** One family, one sample per value of a further label. */
    void split(String name, String type, String help, String label, Part... parts) {
        List<SampleLine> lines = new ArrayList<>();
        for (Part part : parts) {
            lines.add(SampleLine.of(name, Labels.with(labels, label, part.labelValue()), part.number()));
        }
        families.add(new Family(name, type, help, lines));
    }

    void histogram(String name, String help, Histogram histogram) {
        families.add(new Family(name, "histogram", help, histogram.lines(name, labels)));
    }

    void add(String name, String type, String help, SampleLine line) {
        families.add(new Family(name, type, help, List.of(line)));
    }

    void add(String name, String type, String help, List<SampleLine> lines) {
        families.add(new Family(name, type, help, lines));
    }

    void addAll(FamilyList more) {
        families.addAll(more.families);
    }

    void add(Family family) {
        families.add(family);
    }

    /** Lists of the same families in the same order, each family's samples together. */
    static FamilyList merged(List<FamilyList> lists) {
        FamilyList all = new FamilyList(Map.of());
        for (int i = 0; i < lists.getFirst().families.size(); i++) {
            Family family = lists.getFirst().families.get(i);
            for (FamilyList more : lists.subList(1, lists.size())) {
                family = family.and(more.families.get(i));
            }
            all.add(family);
        }
        return all;
    }

    List<Family> families() {
        return families;
    }
}
