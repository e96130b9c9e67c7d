package dev.penstock.router.body;

import java.util.zip.CRC32C;

/** Checksum of the tools' bytes, made while they pass: they come before the messages in every chat template. */
final class ToolsSum {
    private final CRC32C crc = new CRC32C();
    private long from;
    private long to;
    /** Where the bytes begin that it has not seen. */
    private long unseen;

    void clear() {
        from = -1;
        to = -1;
        crc.reset();
    }

    /** @param at where the value begins; one that came before does not count */
    void begin(long at) {
        clear();
        from = at;
        unseen = at;
    }

    void end(long end) {
        to = end;
    }

    /** Bytes that have been scanned. */
    void pass(byte[] bytes, long base, int length) {
        if (from < 0) return;
        long end = base + length;
        if (to >= 0) end = Math.min(to, end);
        if (end <= unseen) return;
        crc.update(bytes, (int) (unseen - base), (int) (end - unseen));
        unseen = end;
    }

    boolean present() {
        return from >= 0;
    }

    long value() {
        return crc.getValue();
    }
}
