package dev.penstock.router.body;

import io.vertx.core.buffer.Buffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A body's chunks, or parts of them, and the bytes that replace others, in order. Nothing is copied. */
final class BodyPieces {
    private final RequestBody.ChunkList chunks;
    private final List<Splice> splices;
    private int chunk;
    /** Where the chunk begins in the body. */
    private long chunkFrom;

    private long at;
    private int splice;

    /** Where the body ended when this began: it may be let go of before. */
    private final long end;

    BodyPieces(RequestBody.ChunkList chunks, List<Splice> splices) {
        this.chunks = chunks;
        this.splices = splices;
        end = chunks.bytes();
    }

    /** Whether all of it was given out. */
    boolean over() {
        return at == end && splice == splices.size();
    }

    /** Null when there is no more, or the body was let go of. */
    @Nullable
    Buffer next() {
        while (true) {
            Splice next = splice < splices.size() ? splices.get(splice) : null;
            if (next != null && at == next.from()) {
                splice++;
                at = next.to();
                if (next.with().length > 0) return Buffer.buffer(next.with());
                continue;
            }
            Buffer whole = chunks.get(chunk);
            if (whole == null) return null;
            long chunkTo = chunkFrom + whole.length();
            if (at >= chunkTo) {
                chunk++;
                chunkFrom = chunkTo;
                continue;
            }
            long to = next == null ? chunkTo : Math.min(chunkTo, next.from());
            int from = (int) (at - chunkFrom);
            int until = (int) (to - chunkFrom);
            at = to;
            return from == 0 && until == whole.length() ? whole : whole.slice(from, until);
        }
    }
}
