package dev.penstock.enginesim.metrics;

import java.util.List;
import java.util.function.Predicate;

/**
 * A metric family: header lines and samples. Everything but the numbers is text made once, since a filtered page is
 * asked for 20 times a second.
 */
final class Family {
    private final String header;
    private final List<SampleLine> lines;

    Family(String name, String type, String help, List<SampleLine> lines) {
        this("# HELP " + name + " " + help + "\n# TYPE " + name + " " + type + "\n", lines);
    }

    private Family(String header, List<SampleLine> lines) {
        this.header = header;
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
        return new Family(header, lines.stream().map(SampleLine::frozen).toList());
    }

    List<String> sampleNames() {
        return lines.stream().map(SampleLine::name).distinct().toList();
    }
}
