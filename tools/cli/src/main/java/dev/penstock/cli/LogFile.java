package dev.penstock.cli;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/** A log that grows, and is begun again by rotation or by another up. Remembers where it was read to. */
final class LogFile {
    private final Path path;
    private long position;
    private long lastTimestamp;

    LogFile(Path path) {
        this.path = path;
    }

    Path path() {
        return path;
    }

    /** The last of the complete lines that came since and are wanted. */
    List<LogLine> newLines(Predicate<LogLine> wanted, int most) throws IOException {
        ArrayDeque<LogLine> lines = new ArrayDeque<>();
        long size = Files.exists(path) ? Files.size(path) : 0;
        if (size < position) position = 0;
        if (size == position) return List.of();
        try (RandomAccessFile in = new RandomAccessFile(path.toFile(), "r")) {
            in.seek(position);
            byte[] piece = new byte[1 << 16];
            byte[] rest = new byte[0];
            for (int count = in.read(piece); count > 0; count = in.read(piece)) {
                byte[] bytes = Arrays.copyOf(rest, rest.length + count);
                System.arraycopy(piece, 0, bytes, rest.length, count);
                int start = 0;
                for (int i = rest.length; i < bytes.length; i++) {
                    if (bytes[i] != '\n') continue;
                    LogLine line = timed(LogLine.parse(new String(bytes, start, i - start, StandardCharsets.UTF_8)));
                    start = i + 1;
                    if (!wanted.test(line)) continue;
                    lines.addLast(line);
                    if (lines.size() > most) lines.removeFirst();
                }
                position += start;
                rest = Arrays.copyOfRange(bytes, start, bytes.length);
            }
        }
        return List.copyOf(lines);
    }

    private LogLine timed(LogLine line) {
        if (line.timestamp() == LogLine.NO_TIME) return new LogLine(line.service(), lastTimestamp, line.text());
        lastTimestamp = line.timestamp();
        return line;
    }
}
