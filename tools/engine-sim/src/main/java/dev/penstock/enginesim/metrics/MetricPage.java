package dev.penstock.enginesim.metrics;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Families in page order. Read on the engine's event loop only, where the numbers are written. */
public final class MetricPage {
    private static final int FULL_PAGE_CHARS = 64 * 1024;
    private static final int FAMILY_CHARS = 256;

    private static final List<String> PIDS = List.of("101", "102");

    private final List<Family> families;
    private final Map<String, Integer> sampleNameToFamily = new HashMap<>();

    MetricPage(List<Family> families) {
        this.families = List.copyOf(families);
        for (int i = 0; i < families.size(); i++) {
            for (String name : families.get(i).sampleNames()) {
                sampleNameToFamily.put(name, i);
            }
        }
    }

    public String all() {
        StringBuilder out = new StringBuilder(FULL_PAGE_CHARS);
        families.forEach(family -> family.append(out, _ -> true));
        return out.toString();
    }

    /**
     * The samples with exactly these names, under their family's header, in page order. As in the Python library a
     * histogram's own name selects nothing: its samples are called {@code _bucket}, {@code _count} and {@code _sum}.
     */
    public String named(Set<String> names) {
        BitSet wanted = new BitSet(families.size());
        for (String name : names) {
            Integer family = sampleNameToFamily.get(name);
            if (family != null) {
                wanted.set(family);
            }
        }
        StringBuilder out = new StringBuilder(FAMILY_CHARS * wanted.cardinality());
        for (int i = wanted.nextSetBit(0); i >= 0; i = wanted.nextSetBit(i + 1)) {
            families.get(i).append(out, names::contains);
        }
        return out.toString();
    }

    /** A page with the same lines whose numbers stay as they are now. */
    public MetricPage frozen() {
        return with(Family::frozen);
    }

    /** A page whose engine gauges stay as they are now. */
    public MetricPage gaugesFrozen() {
        return with(Family::gaugeFrozen);
    }

    /** A page whose engine gauges are NaN. */
    public MetricPage nan() {
        return with(Family::nan);
    }

    /** A page whose engine gauges appear once per process, as in multi-process mode before it named one mode. */
    public MetricPage perProcess() {
        return with(family -> family.perProcess(PIDS));
    }

    private MetricPage with(UnaryOperator<Family> change) {
        return new MetricPage(families.stream().map(change).toList());
    }
}
