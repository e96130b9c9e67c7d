package dev.penstock.enginesim.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * A metric family: header lines and samples. Everything but the numbers is text made once, since a filtered page is
 * asked for 20 times a second.
 */
final class Family {
    private final String header;
    private final boolean engineGauge;
    private final List<SampleLine> lines;

    Family(String name, String type, String help, List<SampleLine> lines) {
        this(
                "# HELP " + name + " " + help + "\n# TYPE " + name + " " + type + "\n",
                type.equals("gauge") && name.indexOf(':') > 0,
                lines);
    }

    private Family(String header, boolean engineGauge, List<SampleLine> lines) {
        this.header = header;
        this.engineGauge = engineGauge;
        this.lines = List.copyOf(lines);
    }

    /** Appends the samples whose name is wanted, under the header; nothing at all when there is none. */
    void append(StringBuilder out, Predicate<String> wanted) {
        boolean headed = false;
        for (SampleLine line : lines) {
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
        return with(lines.stream().map(SampleLine::frozen).toList());
    }

    Family gaugeFrozen() {
        return engineGauge ? frozen() : this;
    }

    /** A gauge of the engine (not of its process) shows NaN; other families are as they are. */
    Family nan() {
        return engineGauge ? with(lines.stream().map(SampleLine::nan).toList()) : this;
    }

    /** A gauge of the engine appears once per process; the first one has the value, the others 0. */
    Family perProcess(List<String> pids) {
        if (!engineGauge) {
            return this;
        }
        List<SampleLine> all = new ArrayList<>();
        for (SampleLine line : lines) {
            for (String pid : pids) {
                all.add(line.ofProcess(pid, pid.equals(pids.getFirst())));
            }
        }
        return with(all);
    }

    private Family with(List<SampleLine> others) {
        return new Family(header, engineGauge, others);
    }

    List<String> sampleNames() {
        return lines.stream().map(SampleLine::name).distinct().toList();
    }
}
