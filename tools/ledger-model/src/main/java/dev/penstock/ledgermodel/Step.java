package dev.penstock.ledgermodel;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** One step, packed into an int: kind, then up to three numbers of four bits each. */
final class Step {
    private static final Kind[] KINDS = Kind.values();

    private Step() {}

    static int of(Kind kind, int a, int b, int c) {
        return kind.ordinal() << 12 | a << 8 | b << 4 | c;
    }

    static Kind kind(int step) {
        return KINDS[step >>> 12];
    }

    static int a(int step) {
        return step >>> 8 & 15;
    }

    static int b(int step) {
        return step >>> 4 & 15;
    }

    static int c(int step) {
        return step & 15;
    }

    /** Steps by {@link #name}, with semicolons between. */
    static int[] parsed(String text) {
        return text.isBlank()
                ? new int[0]
                : Arrays.stream(text.split(";")).mapToInt(Step::one).toArray();
    }

    private static int one(String text) {
        String[] words = text.strip().split(" ");
        int numbers = 0;
        while (numbers < words.length && words[words.length - 1 - numbers].matches("[a-z][0-9]")) numbers++;
        String name = String.join("_", List.of(words).subList(0, words.length - numbers));
        int[] values = new int[3];
        for (int i = 0; i < numbers; i++) values[i] = words[words.length - numbers + i].charAt(1) - '0';
        return of(Kind.valueOf(name.toUpperCase(Locale.ROOT)), values[0], values[1], values[2]);
    }

    static String name(int step) {
        Kind kind = kind(step);
        StringBuilder name =
                new StringBuilder(kind.name().toLowerCase(Locale.ROOT).replace('_', ' '));
        int[] numbers = {a(step), b(step), c(step)};
        for (int i = 0; i < kind.letters().length(); i++) {
            name.append(' ').append(kind.letters().charAt(i)).append(numbers[i]);
        }
        return name.toString();
    }
}
