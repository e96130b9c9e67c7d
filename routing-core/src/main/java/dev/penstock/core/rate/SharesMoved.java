package dev.penstock.core.rate;

/** What a GRANT or a RETURN of shares carries. */
public record SharesMoved(int shares, long fillMicros) {
    public static final SharesMoved NONE = new SharesMoved(0, 0);
}
