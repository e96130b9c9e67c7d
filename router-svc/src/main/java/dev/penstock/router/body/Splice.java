package dev.penstock.router.body;

import java.util.List;

/**
 * Other bytes in place of some of a body; with {@code from == to} they are put in between.
 *
 * @param from first byte that is replaced
 * @param to where the body goes on
 */
public record Splice(long from, long to, byte[] with) {
    public Splice {
        if (from < 0 || to < from) {
            throw new IllegalArgumentException("splice: bytes " + from + " to " + to + ", expected 0 <= from <= to");
        }
    }

    /** What a body of so many bytes has with them. */
    static long length(List<Splice> splices, long body) {
        long length = body;
        long at = 0;
        for (int i = 0; i < splices.size(); i++) {
            Splice splice = splices.get(i);
            if (splice.from < at || splice.to > body) {
                throw new IllegalArgumentException("splice: bytes " + splice.from + " to " + splice.to
                        + ", expected them in order and within " + at + " to " + body);
            }
            at = splice.to;
            length += splice.with.length - (splice.to - splice.from);
        }
        return length;
    }
}
