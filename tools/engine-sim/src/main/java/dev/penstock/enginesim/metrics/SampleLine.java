package dev.penstock.enginesim.metrics;

import java.util.Map;
import java.util.function.DoubleSupplier;

/**
 * One line of the page.
 *
 * @param name of the sample, {@code _bucket} and the like included: what {@code name[]} selects by
 * @param prefix name, labels and a space, ready to print
 */
record SampleLine(String name, String prefix, DoubleSupplier value) {
    static SampleLine of(String name, Map<String, String> labels, DoubleSupplier value) {
        return new SampleLine(name, name + Labels.text(labels) + " ", value);
    }

    SampleLine frozen() {
        double now = value.getAsDouble();
        return new SampleLine(name, prefix, () -> now);
    }
}
