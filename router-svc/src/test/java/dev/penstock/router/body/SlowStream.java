package dev.penstock.router.body;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.WriteStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A stream that is full after so many writes, until it is told to drain. */
final class SlowStream implements WriteStream<Buffer> {
    private final int most;
    private final Buffer written = Buffer.buffer();
    private final List<Promise<Void>> pending = new ArrayList<>();
    private @Nullable Handler<Void> drained;
    private @Nullable RuntimeException refusal;
    private int queued;
    private boolean ended;
    private boolean drainsAtOnce;

    SlowStream(int most) {
        this.most = most;
    }

    String written() {
        return written.toString();
    }

    boolean ended() {
        return ended;
    }

    void drain() {
        queued = 0;
        List<Promise<Void>> flushed = List.copyOf(pending);
        pending.clear();
        flushed.forEach(Promise::tryComplete);
        if (drained != null) drained.handle(null);
    }

    void fail(Throwable why) {
        pending.forEach(each -> each.tryFail(why));
    }

    void refuse(RuntimeException why) {
        refusal = why;
    }

    void drainAtOnce() {
        drainsAtOnce = true;
    }

    @Override
    public Future<Void> write(Buffer data) {
        if (refusal != null) throw refusal;
        written.appendBuffer(data);
        queued++;
        Promise<Void> flushed = Promise.promise();
        pending.add(flushed);
        if (drainsAtOnce && queued >= most && drained != null) drain();
        return flushed.future();
    }

    @Override
    public Future<Void> end() {
        ended = true;
        return Future.succeededFuture();
    }

    @Override
    public boolean writeQueueFull() {
        return queued >= most;
    }

    @Override
    public SlowStream drainHandler(@Nullable Handler<Void> handler) {
        drained = handler;
        if (drainsAtOnce && writeQueueFull()) drain();
        return this;
    }

    @Override
    public SlowStream exceptionHandler(@Nullable Handler<Throwable> handler) {
        return this;
    }

    @Override
    public SlowStream setWriteQueueMaxSize(int maxSize) {
        return this;
    }
}
