package dev.penstock.router.job;

import dev.penstock.model.Replica;
import dev.penstock.router.relay.AnswerRewrite;
import dev.penstock.router.relay.AnswerRewrites;
import dev.penstock.router.relay.Asked;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Gives what a request made at an engine an id of ours, where its answer says what the engine calls it. One event loop's. */
public final class JobRewrites implements AnswerRewrites {
    private final JobIds ids;
    private final JobIndex index;

    public JobRewrites(JobIds ids, JobIndex index) {
        this.ids = ids;
        this.index = index;
    }

    @Override
    public @Nullable AnswerRewrite of(Asked asked, Replica replica, boolean eventStream) {
        return switch (asked.endpoint()) {
            case RESPONSES -> of(JobKind.RESPONSE, asked.tenant().name(), replica, eventStream);
            case VIDEOS -> {
                String tenant = asked.tenant().name();
                AnswerRewrite rewrite = of(JobKind.VIDEO, tenant, replica, eventStream);
                yield eventStream ? rewrite : new Created(rewrite, index, tenant);
            }
            default -> null;
        };
    }

    /** Of an answer about something that the replica has. */
    AnswerRewrite of(JobKind kind, String tenant, Replica replica, boolean eventStream) {
        IdNames names = (field, engineId, length) -> {
            String id = ids.of(kind, tenant, replica, engineId, length);
            return id == null ? null : id.getBytes(StandardCharsets.US_ASCII);
        };
        return eventStream ? IdRewrite.ofEvents(names) : IdRewrite.ofJson(names);
    }
}
