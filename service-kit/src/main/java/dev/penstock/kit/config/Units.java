package dev.penstock.kit.config;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Durations and sizes as people write them, both ways. */
final class Units {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,12})\\s*(ms|s|m|h)");
    private static final Pattern BYTES = Pattern.compile("(\\d{1,12})\\s*(B|KiB|MiB|GiB)?");

    private static final Pattern NUMBER = Pattern.compile("\\d{1,15}(\\.\\d{1,6})?");

    private Units() {}

    static @Nullable Double number(String text) {
        return NUMBER.matcher(text).matches() ? Double.valueOf(text) : null;
    }

    /** Without a fraction that is not there. */
    static String show(double number) {
        return number == Math.rint(number) && Math.abs(number) < 1e15
                ? String.valueOf((long) number)
                : String.valueOf(number);
    }

    static @Nullable Duration duration(String text) {
        Matcher parts = DURATION.matcher(text);
        if (!parts.matches()) return null;
        long amount = Long.parseLong(parts.group(1));
        return switch (parts.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            default -> Duration.ofHours(amount);
        };
    }

    static String show(Duration duration) {
        long millis = duration.toMillis();
        if (millis == 0) return "0s";
        if (millis % 3_600_000 == 0) return millis / 3_600_000 + "h";
        if (millis % 60_000 == 0) return millis / 60_000 + "m";
        return millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
    }

    /** Negative when the text is not a size. */
    static long bytes(String text) {
        Matcher parts = BYTES.matcher(text);
        if (!parts.matches()) return -1;
        long amount = Long.parseLong(parts.group(1));
        int shift = shift(parts.group(2));
        return amount > Long.MAX_VALUE >> shift ? -1 : amount << shift;
    }

    static String showBytes(long bytes) {
        if (bytes == 0) return "0B";
        if (bytes % (1L << 30) == 0) return (bytes >> 30) + "GiB";
        if (bytes % (1L << 20) == 0) return (bytes >> 20) + "MiB";
        return bytes % (1L << 10) == 0 ? (bytes >> 10) + "KiB" : bytes + "B";
    }

    private static int shift(@Nullable String unit) {
        if (unit == null) return 0;
        return switch (unit) {
            case "KiB" -> 10;
            case "MiB" -> 20;
            case "GiB" -> 30;
            default -> 0;
        };
    }
}
