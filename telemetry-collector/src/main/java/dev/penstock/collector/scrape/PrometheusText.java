package dev.penstock.collector.scrape;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Finds a few families in a page of Prometheus text, in one pass over its bytes and without an object per line.
 *
 * <p>Every line is read by the whole grammar, asked for or not, so that what is no sample is counted and skipped. Timestamps
 * and exemplars are read over: a sample is as old as its scrape. A series whose value is not finite makes its family's sum
 * unknown; a maximum is taken over the rest. Series with a {@code pid} label repeat one value per process, mostly as 0, so
 * of them the greatest counts. One thread.
 */
final class PrometheusText {
    private static final byte[] PID = "pid".getBytes(StandardCharsets.UTF_8);

    /** Powers of ten that a double holds exactly; with a mantissa below 2^53 one operation gives the nearest double. */
    private static final double[] EXACT_TENS = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22
    };

    private static final int MOST_DIGITS = 15;

    private final Family[] families;
    private final double[] plain;
    private final double[] perProcess;
    private final boolean[] seen;
    private final boolean[] unknown;
    private final boolean[] nameFits;
    private final boolean[] labelFits;
    private int garbageLines;
    private boolean cut;

    private byte[] text = new byte[0];
    private int at;
    private int end;
    private double number;

    PrometheusText(List<Family> families) {
        this.families = families.toArray(new Family[0]);
        int count = this.families.length;
        plain = new double[count];
        perProcess = new double[count];
        seen = new boolean[count];
        unknown = new boolean[count];
        nameFits = new boolean[count];
        labelFits = new boolean[count];
    }

    /** @param whole false when the body ended before its time: then its last line is not to be trusted */
    void scan(byte[] page, int length, boolean whole) {
        Arrays.fill(plain, Double.NaN);
        Arrays.fill(perProcess, Double.NaN);
        Arrays.fill(seen, false);
        Arrays.fill(unknown, false);
        garbageLines = 0;
        cut = !whole;
        text = page;
        for (int start = 0; start < length; ) {
            int newline = start;
            while (newline < length && page[newline] != '\n') newline++;
            if (newline == length && !whole) break;
            at = start;
            end = newline > start && page[newline - 1] == '\r' ? newline - 1 : newline;
            if (!line()) garbageLines++;
            start = newline + 1;
        }
    }

    /** Whether any series of the family was on the page, known or not. */
    boolean seen(int family) {
        return seen[family];
    }

    /** NaN = unknown. */
    double value(int family) {
        double a = plain[family];
        double b = perProcess[family];
        if (families[family].fold() == Family.Fold.SUM) {
            if (unknown[family]) return Double.NaN;
            return Double.isNaN(a) ? b : Double.isNaN(b) ? a : a + b;
        }
        return greater(a, b);
    }

    int garbageLines() {
        return garbageLines;
    }

    boolean cut() {
        return cut;
    }

    /** False = garbage. */
    private boolean line() {
        blanks();
        if (at == end || text[at] == '#') return true;
        int nameStart = at;
        if (!name(true)) return false;
        boolean wanted = fitNames(nameStart, at - nameStart);
        boolean perPid = false;
        blanks();
        if (at < end && text[at] == '{') {
            at++;
            while (true) {
                blanks();
                if (at < end && text[at] == '}') break;
                int labelStart = at;
                if (!name(false)) return false;
                int labelLength = at - labelStart;
                if (!take('=') || !take('"')) return false;
                int valueStart = at;
                if (!quoted()) return false;
                if (wanted) {
                    perPid |= same(PID, labelStart, labelLength);
                    fitLabels(labelStart, labelLength, valueStart, at - 1);
                }
                blanks();
                if (at < end && text[at] == ',') at++;
                else if (at == end || text[at] != '}') return false;
            }
            at++;
        }
        blanks();
        if (!number()) return false;
        double value = number;
        blanks();
        if (at < end && text[at] != '#') {
            if (!number()) return false;
            blanks();
        }
        if (at < end && text[at] != '#') return false;
        if (wanted) count(value, perPid);
        return true;
    }

    private boolean fitNames(int start, int length) {
        boolean any = false;
        for (int i = 0; i < families.length; i++) {
            nameFits[i] = same(families[i].name(), start, length);
            labelFits[i] = families[i].label() == null;
            any |= nameFits[i];
        }
        return any;
    }

    private void fitLabels(int start, int length, int valueStart, int valueEnd) {
        for (int i = 0; i < families.length; i++) {
            byte[] label = families[i].label();
            byte[] value = families[i].value();
            if (!nameFits[i] || label == null || value == null || !same(label, start, length)) continue;
            labelFits[i] = sameUnescaped(value, valueStart, valueEnd);
        }
    }

    private void count(double value, boolean perPid) {
        boolean finite = Double.isFinite(value);
        for (int i = 0; i < families.length; i++) {
            if (!nameFits[i] || !labelFits[i]) continue;
            seen[i] = true;
            if (!finite) unknown[i] = true;
            else if (perPid) perProcess[i] = greater(perProcess[i], value);
            else if (families[i].fold() == Family.Fold.MAX) plain[i] = greater(plain[i], value);
            else plain[i] = Double.isNaN(plain[i]) ? value : plain[i] + value;
        }
    }

    private static double greater(double a, double b) {
        if (Double.isNaN(a)) return b;
        return Double.isNaN(b) ? a : Math.max(a, b);
    }

    private void blanks() {
        while (at < end && (text[at] == ' ' || text[at] == '\t')) at++;
    }

    private boolean take(char wanted) {
        blanks();
        if (at == end || text[at] != wanted) return false;
        at++;
        return true;
    }

    private boolean name(boolean colons) {
        int start = at;
        while (at < end) {
            byte c = text[at];
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (colons && c == ':');
            boolean digit = c >= '0' && c <= '9' && at > start;
            if (!letter && !digit) break;
            at++;
        }
        return at > start;
    }

    /** Goes behind the closing quote. */
    private boolean quoted() {
        while (at < end) {
            byte c = text[at++];
            if (c == '"') return true;
            if (c == '\\') at++;
        }
        at = end;
        return false;
    }

    private boolean same(byte[] wanted, int start, int length) {
        return wanted.length == length && Arrays.equals(wanted, 0, length, text, start, start + length);
    }

    private boolean sameUnescaped(byte[] wanted, int from, int to) {
        int matched = 0;
        for (int i = from; i < to; i++) {
            byte c = text[i];
            if (c == '\\' && i + 1 < to) {
                byte next = text[++i];
                c = next == 'n' ? (byte) '\n' : next;
            }
            if (matched == wanted.length || wanted[matched++] != c) return false;
        }
        return matched == wanted.length;
    }

    /** Reads a token into {@link #number}. */
    private boolean number() {
        int start = at;
        while (at < end && text[at] != ' ' && text[at] != '\t') at++;
        return at > start && parse(start, at);
    }

    private boolean parse(int from, int to) {
        int i = from;
        boolean negative = text[i] == '-';
        if (negative || text[i] == '+') i++;
        if (i == to) return false;
        if (word(i, to, "nan")) return give(Double.NaN, false);
        if (word(i, to, "inf") || word(i, to, "infinity")) return give(Double.POSITIVE_INFINITY, negative);
        long mantissa = 0;
        int digits = 0;
        int scale = 0;
        int significant = 0;
        boolean point = false;
        for (; i < to; i++) {
            byte c = text[i];
            if (c == '.' && !point) {
                point = true;
            } else if (c >= '0' && c <= '9') {
                digits++;
                if (significant > 0 || c != '0') significant++;
                if (significant <= MOST_DIGITS) mantissa = mantissa * 10 + (c - '0');
                if (point) scale++;
            } else {
                break;
            }
        }
        if (digits == 0) return false;
        int exponent = 0;
        if (i < to) {
            if (text[i] != 'e' && text[i] != 'E') return false;
            exponent = exponent(i + 1, to);
            if (exponent == Integer.MIN_VALUE) return false;
        }
        int power = exponent - scale;
        if (mantissa == 0 && significant == 0) return give(0, negative);
        if (significant > MOST_DIGITS || power < -22 || power > 22) return give(slowly(from, to), false);
        return give(power < 0 ? mantissa / EXACT_TENS[-power] : mantissa * EXACT_TENS[power], negative);
    }

    /** Integer.MIN_VALUE = no exponent. */
    private int exponent(int from, int to) {
        int i = from;
        boolean negative = i < to && text[i] == '-';
        if (i < to && (negative || text[i] == '+')) i++;
        if (i == to) return Integer.MIN_VALUE;
        int value = 0;
        for (; i < to; i++) {
            if (text[i] < '0' || text[i] > '9') return Integer.MIN_VALUE;
            value = Math.min(value * 10 + (text[i] - '0'), 100_000);
        }
        return negative ? -value : value;
    }

    /** Only for numbers that no engine counter reaches. */
    private double slowly(int from, int to) {
        return Double.parseDouble(new String(text, from, to - from, StandardCharsets.US_ASCII));
    }

    private boolean give(double value, boolean negative) {
        number = negative ? -value : value;
        return true;
    }

    private boolean word(int from, int to, String lower) {
        if (to - from != lower.length()) return false;
        for (int i = 0; i < lower.length(); i++) {
            if ((text[from + i] | 0x20) != lower.charAt(i)) return false;
        }
        return true;
    }
}
