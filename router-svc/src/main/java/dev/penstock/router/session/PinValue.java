package dev.penstock.router.session;

import org.jspecify.annotations.Nullable;

/**
 * What the fleet says of a session: {@code owner:version} as a value, {@code key owner version} as a message.
 *
 * @param owner replica number
 * @param version rises with each move
 */
record PinValue(int owner, int version) {
    /** A pin and whose it is. */
    record Told(long key, PinValue value) {}

    /** Null = not a pin of ours. */
    static @Nullable PinValue parse(String text) {
        int colon = text.indexOf(':');
        if (colon < 0) return null;
        try {
            return new PinValue(
                    Integer.parseInt(text, 0, colon, 10), Integer.parseInt(text, colon + 1, text.length(), 10));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Null = not a message of ours. */
    static @Nullable Told parseMessage(String text) {
        int first = text.indexOf(' ');
        int second = text.indexOf(' ', first + 1);
        if (first < 0 || second < 0) return null;
        try {
            long key = Long.parseUnsignedLong(text, 0, first, 16);
            int owner = Integer.parseInt(text, first + 1, second, 10);
            return new Told(key, new PinValue(owner, Integer.parseInt(text, second + 1, text.length(), 10)));
        } catch (NumberFormatException e) {
            return null;
        }
    }
}
