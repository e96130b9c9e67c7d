package dev.penstock.kit.ledger;

import com.google.protobuf.Message;
import io.vertx.grpc.common.GrpcWriteStream;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One side's end, over one of gRPC's streams. It ends once, however many ways that is told of. One context.
 *
 * @param <I> what comes in
 * @param <O> what goes out
 * @param <P> the same as protobuf
 */
final class GrpcStream<I, O, P extends Message> implements LedgerStream<O> {
    /** A holder says some 20 things a second and an owner less: seconds without a byte getting through. */
    static final int MOST_UNDER_WAY = 1_024;

    private static final Logger LOG = LoggerFactory.getLogger(GrpcStream.class);

    private final GrpcWriteStream<P> out;
    private final Function<O, P> encode;
    private @Nullable LedgerReceiver<I> receiver;
    private int underWay;
    private boolean over;

    GrpcStream(GrpcWriteStream<P> out, Function<O, P> encode) {
        this.out = out;
        this.encode = encode;
        out.exceptionHandler(broken -> abort("broken: " + broken.getMessage()));
    }

    /** Before anything can come in. */
    void receiver(LedgerReceiver<I> receiver) {
        this.receiver = receiver;
    }

    @Override
    public boolean send(O message) {
        if (over) return false;
        if (underWay >= MOST_UNDER_WAY) {
            abort("more than " + MOST_UNDER_WAY + " messages wait to be sent");
            return false;
        }
        underWay++;
        try {
            out.write(encode.apply(message)).onComplete(written -> {
                underWay--;
                if (written.failed()) abort("not sent: " + written.cause().getMessage());
            });
        } catch (IllegalStateException ended) {
            // Vert.x ends a stream by itself, after a message that is too long for one, and tells nobody.
            abort("not sent: " + ended.getMessage());
        }
        return !over;
    }

    @Override
    public boolean isOpen() {
        return !over;
    }

    @Override
    public void close() {
        endOrderly("closed here");
    }

    /** Each message passes here; one that breaks the rules of the wire ends the stream. */
    void arrived(MessageSource<I> source) {
        LedgerReceiver<I> to = receiver;
        if (over || to == null) return;
        I message;
        try {
            message = source.read();
        } catch (IllegalArgumentException malformed) {
            abort("malformed: " + malformed.getMessage());
            return;
        }
        if (message == null) return;
        try {
            to.message(message);
        } catch (RuntimeException bug) {
            // Vert.x would answer it with an end of the stream that neither side hears of.
            LOG.atError().setCause(bug).log("a message of a ledger stream was not taken");
            abort("not taken: " + bug.getMessage());
        }
    }

    /** The other side has said all, or this one has. */
    void endOrderly(String reason) {
        if (over) return;
        over = true;
        last(out::end);
        tell(reason);
    }

    /** What is under way is void. */
    void abort(String reason) {
        if (over) return;
        over = true;
        last(out::cancel);
        tell(reason);
    }

    private static void last(Runnable ending) {
        try {
            ending.run();
        } catch (IllegalStateException endedAlready) {
            LOG.debug("a ledger stream had ended before it was to", endedAlready);
        }
    }

    private void tell(String reason) {
        LedgerReceiver<I> to = receiver;
        if (to != null) to.ended(reason);
    }

    /** Decodes when asked to. */
    @FunctionalInterface
    interface MessageSource<T> {
        /** Null for what is not known here. */
        @Nullable
        T read();
    }
}
