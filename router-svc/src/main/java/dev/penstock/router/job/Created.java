package dev.penstock.router.job;

import dev.penstock.router.relay.AnswerRewrite;
import io.vertx.core.buffer.Buffer;

/** Keeps what an answer says that a job was made by, for the index, while it passes. */
final class Created implements AnswerRewrite {
    private final AnswerRewrite rewrite;
    private final JobIndex index;
    private final String tenant;
    private final Buffer kept = Buffer.buffer();
    private boolean tooLong;

    Created(AnswerRewrite rewrite, JobIndex index, String tenant) {
        this.rewrite = rewrite;
        this.index = index;
        this.tenant = tenant;
    }

    @Override
    public Buffer feed(Buffer chunk) {
        return kept(rewrite.feed(chunk));
    }

    @Override
    public Buffer end() {
        Buffer last = kept(rewrite.end());
        if (!tooLong) index.created(tenant, kept);
        return last;
    }

    private Buffer kept(Buffer out) {
        tooLong |= kept.length() + out.length() > JobEntry.MOST_READ;
        if (!tooLong) kept.appendBuffer(out);
        return out;
    }
}
