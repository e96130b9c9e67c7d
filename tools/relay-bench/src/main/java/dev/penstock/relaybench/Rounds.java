package dev.penstock.relaybench;

import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;

/** The windows of contenders that were measured in turn, by name; the k-th of each are of one pair. */
record Rounds(Map<String, List<Window>> windows) {
    boolean has(String contender) {
        return windows.containsKey(contender);
    }

    double[] of(String contender, ToDoubleFunction<Window> figure) {
        return windows.getOrDefault(contender, List.of()).stream()
                .mapToDouble(figure)
                .toArray();
    }

    /** Of each pair the first's by the second's. */
    double[] ratio(String first, String second, ToDoubleFunction<Window> figure) {
        return paired(first, second, (a, b) -> figure.applyAsDouble(a) / figure.applyAsDouble(b));
    }

    /** Of each pair the first's less the second's. */
    double[] difference(String first, String second, ToDoubleFunction<Window> figure) {
        return paired(first, second, (a, b) -> figure.applyAsDouble(a) - figure.applyAsDouble(b));
    }

    private double[] paired(String first, String second, ToDoubleBiFunction<Window, Window> figure) {
        List<Window> a = windows.getOrDefault(first, List.of());
        List<Window> b = windows.getOrDefault(second, List.of());
        double[] values = new double[a.size()];
        for (int i = 0; i < values.length; i++) values[i] = figure.applyAsDouble(a.get(i), b.get(i));
        return values;
    }
}
