package dev.penstock.model;

import java.util.HexFormat;

/**
 * One incarnation of a process that holds slots: a router, a prober, an external checker.
 *
 * @param nonce drawn at each start, so that a restarted process is another holder than the one it follows
 */
public record Holder(String name, long nonce) {
    private static final int NONCE_DIGITS = 16;

    public Holder {
        if (name.isBlank() || name.indexOf('/') >= 0) {
            throw new IllegalArgumentException("holder: name '" + name + "' must not be blank, nor contain '/'");
        }
    }

    /** Of {@link #toString()}'s form. */
    public static Holder parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0 || text.length() - slash - 1 != NONCE_DIGITS) {
            throw new IllegalArgumentException("holder: '" + text + "', expected NAME/NONCE, 16 hexadecimal digits");
        }
        return new Holder(text.substring(0, slash), HexFormat.fromHexDigitsToLong(text, slash + 1, text.length()));
    }

    @Override
    public String toString() {
        return name + "/" + HexFormat.of().toHexDigits(nonce);
    }
}
