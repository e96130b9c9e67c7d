package dev.penstock.collector.scrape;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Finds a few families in a page of Prometheus text, in one pass over its bytes and without an object per line.
 *
 * <p>Every line is read by the whole grammar, asked for or not, so that what is no sample is counted and skipped. Timestamps
 * and exemplars are read over: a sample is as old as its scrape. A series whose value is not finite makes its family's sum
 * unknown; a maximum is taken over the rest.
 *
 * <p>Some labels tell who says something, and not of which rank: a process ({@code pid}, mostly with 0 in all but one), or
 * the ranks that work together on each request ({@code tp_rank} and the like), or they take a part out of a total that is
 * there as well ({@code priority}). Of series that differ in such labels only, the greatest counts; then ranks
 * ({@code engine}, {@code dp_rank}) are folded. One thread.
 */
final class PrometheusText {
    private static final byte[][] SAYERS = {
        bytes("pid"), bytes("tp_rank"), bytes("pp_rank"), bytes("moe_ep_rank"), bytes("priority")
    };

    /** Far above what 64 ranks with 8 families have; beyond it the greatest of a family stands for the rest. */
    private static final int MOST_SAID = 1024;

    /** Powers of ten that a double holds exactly; with a mantissa below 2^53 one operation gives the nearest double. */
    private static final double[] EXACT_TENS = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22
    };

    private static final int MOST_DIGITS = 15;

    private final Family[] families;
    private final double[] plain;
    private final double[] overflow;
    private final int[] labelsFrom;
    private final int[] labelsTo;
    private final int[] saidFamily = new int[MOST_SAID];
    private final long[] saidOf = new long[MOST_SAID];
    private final double[] said = new double[MOST_SAID];
    private final boolean[] seen;
    private final boolean[] unknown;
    private final boolean[] nameFits;
    private final boolean[] labelFits;
    private int saidCount;
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
        overflow = new double[count];
        labelsFrom = new int[count];
        labelsTo = new int[count];
        seen = new boolean[count];
        unknown = new boolean[count];
        nameFits = new boolean[count];
        labelFits = new boolean[count];
    }

    /** @param whole false when the body ended before its time: then its last line is not to be trusted */
    void scan(byte[] page, int length, boolean whole) {
        Arrays.fill(plain, Double.NaN);
        Arrays.fill(overflow, Double.NaN);
        saidCount = 0;
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
        boolean sum = families[family].fold() == Family.Fold.SUM;
        if (sum && unknown[family]) return Double.NaN;
        double value = fold(sum, plain[family], overflow[family]);
        for (int i = 0; i < saidCount; i++) {
            if (saidFamily[i] == family) value = fold(sum, value, said[i]);
        }
        return value;
    }

    private static double fold(boolean sum, double a, double b) {
        return sum && !Double.isNaN(a) && !Double.isNaN(b) ? a + b : greater(a, b);
    }

    /** A label of the latest series of a family that asks for it, unescaped; "" where it has no such label. */
    String label(int family, String name) {
        byte[] wanted = bytes(name);
        at = labelsFrom[family];
        end = labelsTo[family];
        while (at < end) {
            blanks();
            int start = at;
            if (!name(false)) return "";
            int length = at - start;
            if (!take('=') || !take('"')) return "";
            int valueStart = at;
            if (!quoted()) return "";
            if (same(wanted, start, length)) return unescaped(valueStart, at - 1);
            blanks();
            if (at < end && text[at] == ',') at++;
        }
        return "";
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
        boolean sayer = false;
        long rest = 0;
        int from = at;
        int to = at;
        blanks();
        if (at < end && text[at] == '{') {
            at++;
            from = at;
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
                    if (sayer(labelStart, labelLength)) sayer = true;
                    else rest += hash(labelStart, at);
                    fitLabels(labelStart, labelLength, valueStart, at - 1);
                }
                blanks();
                if (at < end && text[at] == ',') at++;
                else if (at == end || text[at] != '}') return false;
            }
            to = at;
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
        if (wanted) count(value, sayer, rest, from, to);
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

    /** @param rest stands for the labels that name no sayer, in whatever order */
    private void count(double value, boolean sayer, long rest, int from, int to) {
        boolean finite = Double.isFinite(value);
        for (int i = 0; i < families.length; i++) {
            if (!nameFits[i] || !labelFits[i]) continue;
            seen[i] = true;
            if (!finite) {
                unknown[i] = true;
            } else if (families[i].fold() == Family.Fold.LATEST) {
                if (plain[i] >= value) continue;
                plain[i] = value;
                labelsFrom[i] = from;
                labelsTo[i] = to;
            } else if (sayer) {
                say(i, rest, value);
            } else {
                plain[i] = fold(families[i].fold() == Family.Fold.SUM, plain[i], value);
            }
        }
    }

    private void say(int family, long rest, double value) {
        for (int i = 0; i < saidCount; i++) {
            if (saidFamily[i] == family && saidOf[i] == rest) {
                said[i] = Math.max(said[i], value);
                return;
            }
        }
        if (saidCount == MOST_SAID) {
            overflow[family] = greater(overflow[family], value);
            return;
        }
        saidFamily[saidCount] = family;
        saidOf[saidCount] = rest;
        said[saidCount++] = value;
    }

    private boolean sayer(int start, int length) {
        for (byte[] name : SAYERS) {
            if (same(name, start, length)) return true;
        }
        return false;
    }

    /** Of a label with its value; spread, so that sums of several rarely meet. */
    private long hash(int from, int to) {
        long hash = 0xCBF29CE484222325L;
        for (int i = from; i < to; i++) hash = (hash ^ text[i]) * 0x100000001B3L;
        return (hash ^ (hash >>> 32)) * 0x9E3779B97F4A7C15L;
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

    private String unescaped(int from, int to) {
        String raw = new String(text, from, to - from, StandardCharsets.UTF_8);
        if (raw.indexOf('\\') < 0) return raw;
        StringBuilder plainText = new StringBuilder(raw.length());
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '\\' && i + 1 < raw.length()) {
                c = raw.charAt(++i);
                if (c == 'n') c = '\n';
            }
            plainText.append(c);
        }
        return plainText.toString();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
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
