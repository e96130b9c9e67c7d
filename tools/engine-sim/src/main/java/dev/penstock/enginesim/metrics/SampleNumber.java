package dev.penstock.enginesim.metrics;

import java.math.BigDecimal;

/**
 * Numbers as prometheus_client prints them: Python's shortest repr, but with an exponent from 1e6 up for positive values
 * ({@code 3.0}, {@code 1.5e+06}, {@code 1e-05}, {@code -12345678.0}, {@code +Inf}).
 */
public final class SampleNumber {
    private static final double FIRST_WITH_EXPONENT = 1e6;
    private static final double FIRST_WITH_PYTHON_EXPONENT = 1e16;
    private static final double LAST_WITHOUT_SMALL_EXPONENT = 1e-4;

    private SampleNumber() {}

    public static void append(StringBuilder out, double value) {
        if (value == (long) value && Math.abs(value) < FIRST_WITH_EXPONENT) {
            // The common case on a page, and the only one that must be cheap. Python knows a negative zero, too.
            if (value == 0 && 1 / value < 0) {
                out.append('-');
            }
            out.append((long) value).append(".0");
        } else if (Double.isNaN(value)) {
            out.append("NaN");
        } else if (Double.isInfinite(value)) {
            out.append(value > 0 ? "+Inf" : "-Inf");
        } else {
            appendFraction(out, value);
        }
    }

    private static void appendFraction(StringBuilder out, double value) {
        BigDecimal shortest = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        double size = Math.abs(value);
        boolean exponent = value >= FIRST_WITH_EXPONENT
                || size >= FIRST_WITH_PYTHON_EXPONENT
                || size < LAST_WITHOUT_SMALL_EXPONENT;
        if (exponent) {
            appendExponent(out, shortest);
        } else {
            String plain = shortest.toPlainString();
            out.append(plain);
            if (plain.indexOf('.') < 0) {
                out.append(".0");
            }
        }
    }

    private static void appendExponent(StringBuilder out, BigDecimal shortest) {
        String digits = shortest.unscaledValue().abs().toString();
        int exponent = digits.length() - 1 - shortest.scale();
        if (shortest.signum() < 0) {
            out.append('-');
        }
        out.append(digits.charAt(0));
        if (digits.length() > 1) {
            out.append('.').append(digits, 1, digits.length());
        }
        out.append('e').append(exponent < 0 ? '-' : '+');
        if (Math.abs(exponent) < 10) {
            out.append('0');
        }
        out.append(Math.abs(exponent));
    }
}
