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

    SampleLine nan() {
        return new SampleLine(name, prefix, () -> Double.NaN);
    }

    /** @param theOne whether it is this process that knows the value */
    SampleLine ofProcess(String pid, boolean theOne) {
        String label = "pid=\"" + pid + "\"} ";
        String labelled = prefix.endsWith("} ")
                ? prefix.substring(0, prefix.length() - 2) + "," + label
                : prefix.stripTrailing() + "{" + label;
        return new SampleLine(name, labelled, theOne ? value : () -> 0);
    }
}
