package dev.penstock.router.body;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.WriteStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request body in the chunks that it came in, never joined: sent once, or again when the first attempt failed. Belongs to one
 * event loop.
 */
public final class RequestBody {
    /** Up to here a copy is cheaper than one write per chunk. */
    private static final int MOST_COPIED = 64 * 1024;

    private final ChunkList chunks = new ChunkList();

    public void add(Buffer chunk) {
        chunks.add(chunk);
    }

    public long length() {
        return chunks.bytes();
    }

    public long lengthWith(List<Splice> splices) {
        return Splice.length(splices, chunks.bytes());
    }

    /** Lets go of all of it; what is being written stops. */
    public void clear() {
        chunks.clear();
    }

    /**
     * The whole body in one buffer if that is cheap: it came in one chunk and nothing is replaced, or it is small.
     *
     * @param splices in order, without an overlap
     * @return null if it is to be written by {@link #writeTo}
     */
    public @Nullable Buffer single(List<Splice> splices) {
        long length = lengthWith(splices);
        if (splices.isEmpty() && chunks.count() == 1) return chunks.get(0);
        if (length > MOST_COPIED) return null;
        Buffer all = Buffer.buffer((int) length);
        BodyPieces pieces = new BodyPieces(chunks, splices);
        for (Buffer piece = pieces.next(); piece != null; piece = pieces.next()) all.appendBuffer(piece);
        return all;
    }

    /**
     * Writes the body, as fast as {@code out} takes it.
     *
     * @return done when {@code out} has been handed all, and has not been ended; failed if {@code out} failed before that
     */
    public Future<Void> writeTo(WriteStream<Buffer> out, List<Splice> splices) {
        return write(out, splices).done();
    }

    /** As {@link #writeTo}, for those who may have to stop it. */
    public BodyWrite write(WriteStream<Buffer> out, List<Splice> splices) {
        lengthWith(splices);
        BodyWrite write = new BodyWrite(out, new BodyPieces(chunks, splices));
        write.go();
        return write;
    }

    /** One chunk has a field of its own: most bodies are no longer. */
    static final class ChunkList {
        private @Nullable Buffer first;
        private @Nullable List<Buffer> others;
        private long bytes;

        void add(Buffer chunk) {
            if (chunk.length() == 0) return;
            bytes += chunk.length();
            if (first == null) {
                first = chunk;
                return;
            }
            List<Buffer> more = others;
            if (more == null) others = more = new ArrayList<>();
            more.add(chunk);
        }

        int count() {
            return (first == null ? 0 : 1) + (others == null ? 0 : others.size());
        }

        /** Null once the body is let go of. */
        @Nullable
        Buffer get(int i) {
            if (i == 0) return first;
            List<Buffer> more = others;
            return more == null || i > more.size() ? null : more.get(i - 1);
        }

        long bytes() {
            return bytes;
        }

        void clear() {
            first = null;
            others = null;
            bytes = 0;
        }
    }
}
