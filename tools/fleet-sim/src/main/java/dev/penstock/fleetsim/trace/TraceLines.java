package dev.penstock.fleetsim.trace;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The lines of a file, none longer than 1 MiB, so that a file that is no trace cannot fill the memory. */
final class TraceLines implements AutoCloseable {
    private static final int LONGEST = 1 << 20;
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private final String file;
    private final Reader reader;
    private final StringBuilder line = new StringBuilder();
    private long number;

    TraceLines(Path file) throws IOException {
        this.file = String.valueOf(file.getFileName());
        this.reader = Files.newBufferedReader(file);
    }

    String file() {
        return file;
    }

    /** The next line that is not blank, or null at the end. */
    @Nullable
    TraceLine next() throws IOException {
        while (read()) {
            String text = line.toString().strip();
            if (!text.isEmpty()) return new TraceLine(file, number, text);
        }
        return null;
    }

    private boolean read() throws IOException {
        line.setLength(0);
        number++;
        for (int c = reader.read(); c >= 0; c = reader.read()) {
            if (c == '\n') return true;
            if (c == BYTE_ORDER_MARK && number == 1 && line.isEmpty()) continue;
            if (line.length() == LONGEST) {
                throw new TraceLine(file, number, "")
                        .unexpected("line", line.substring(0, 80), "at most " + LONGEST + " characters");
            }
            line.append((char) c);
        }
        return !line.isEmpty();
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
