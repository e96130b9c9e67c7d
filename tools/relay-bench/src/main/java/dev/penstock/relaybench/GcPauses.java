package dev.penstock.relaybench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Pauses in a log of {@code -Xlog:gc*}, but for those of full collections, which only the benchmark asks for. */
record GcPauses(int count, double p99Millis, double maxMillis) {
    private static final Pattern PAUSE = Pattern.compile("\\bPause (?!Full)\\S.* (\\d+\\.\\d+)ms$");

    static GcPauses in(Path log) throws IOException {
        List<Double> pauses = new ArrayList<>();
        for (String line : Files.readAllLines(log)) {
            Matcher pause = PAUSE.matcher(line);
            if (pause.find()) pauses.add(Double.parseDouble(pause.group(1)));
        }
        if (pauses.isEmpty()) return new GcPauses(0, 0, 0);
        pauses.sort(null);
        int rank = (int) Math.ceil(0.99 * pauses.size()) - 1;
        return new GcPauses(pauses.size(), pauses.get(rank), pauses.getLast());
    }
}
