package dev.penstock.enginesim.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A metric family: header lines and samples. Everything but the numbers is text made once, since a filtered page is
 * asked for 20 times a second.
 */
final class Family {
    private final String header;
    private final boolean engineGauge;
    private final List<String> sampleNames;
    private final Supplier<List<SampleLine>> lines;

    Family(String name, String type, String help, List<SampleLine> lines) {
        this(
                "# HELP " + name + " " + help + "\n# TYPE " + name + " " + type + "\n",
                type.equals("gauge") && name.indexOf(':') > 0,
                names(lines),
                always(List.copyOf(lines)));
    }

    /** A family whose series come with time; it is no gauge that faults freeze. */
    static Family growing(String name, String type, String help, Supplier<List<SampleLine>> lines) {
        String header = "# HELP " + name + " " + help + "\n# TYPE " + name + " " + type + "\n";
        return new Family(header, false, List.of(name), lines);
    }

    private Family(String header, boolean engineGauge, List<String> sampleNames, Supplier<List<SampleLine>> lines) {
        this.header = header;
        this.engineGauge = engineGauge;
        this.sampleNames = sampleNames;
        this.lines = lines;
    }

    private static Supplier<List<SampleLine>> always(List<SampleLine> lines) {
        return () -> lines;
    }

    private static List<String> names(List<SampleLine> lines) {
        return lines.stream().map(SampleLine::name).distinct().toList();
    }

    /** The samples of both under the header of this one. */
    Family and(Family other) {
        List<SampleLine> all = new ArrayList<>(lines.get());
        all.addAll(other.lines.get());
        return with(all);
    }

    /** Appends the samples whose name is wanted, under the header; nothing at all when there is none. */
    void append(StringBuilder out, Predicate<String> wanted) {
        boolean headed = false;
        for (SampleLine line : lines.get()) {
            if (wanted.test(line.name())) {
                if (!headed) {
                    out.append(header);
                    headed = true;
                }
                out.append(line.prefix());
                SampleNumber.append(out, line.value().getAsDouble());
                out.append('\n');
            }
        }
    }

    Family frozen() {
        return with(lines.get().stream().map(SampleLine::frozen).toList());
    }

    Family gaugeFrozen() {
        return engineGauge ? frozen() : this;
    }

    /** A gauge of the engine (not of its process) shows NaN; other families are as they are. */
    Family nan() {
        return engineGauge ? with(lines.get().stream().map(SampleLine::nan).toList()) : this;
    }

    /** A gauge of the engine appears once per process; the first one has the value, the others 0. */
    Family perProcess(List<String> pids) {
        if (!engineGauge) {
            return this;
        }
        List<SampleLine> all = new ArrayList<>();
        for (SampleLine line : lines.get()) {
            for (String pid : pids) {
                all.add(line.ofProcess(pid, pid.equals(pids.getFirst())));
            }
        }
        return with(all);
    }

    private Family with(List<SampleLine> others) {
        return new Family(header, engineGauge, sampleNames, always(List.copyOf(others)));
    }

    List<String> sampleNames() {
        return sampleNames;
    }
}
