package dev.penstock.router.job;

/**
 * Tells which bytes of a stream of server-sent events are data, wherever its chunks are cut. Lines end with LF, CRLF or CR;
 * engines put a JSON value on one line.
 */
final class EventData {
    private static final byte[] DATA = {'d', 'a', 't', 'a', ':'};
    private static final int OTHER_FIELD = -1;

    private int at;

    /** True for a byte of data, the name of the field not among them. */
    boolean isData(byte b) {
        if (endsLine(b)) {
            at = 0;
            return false;
        }
        if (at == DATA.length) return true;
        if (at != OTHER_FIELD) at = b == DATA[at] ? at + 1 : OTHER_FIELD;
        return false;
    }

    static boolean endsLine(byte b) {
        return b == '\n' || b == '\r';
    }
}
