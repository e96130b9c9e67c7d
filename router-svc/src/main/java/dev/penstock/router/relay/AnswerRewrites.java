package dev.penstock.router.relay;

import dev.penstock.model.Replica;
import org.jspecify.annotations.Nullable;

/** Which answers do not pass as they are. */
@FunctionalInterface
public interface AnswerRewrites {
    /** None at all. */
    AnswerRewrites NONE = (asked, replica, eventStream) -> null;

    /**
     * Null, and at no cost, for an answer that passes as it is. Asked for answers that are no errors, and are JSON or a stream
     * of events.
     */
    @Nullable
    AnswerRewrite of(Asked asked, Replica replica, boolean eventStream);
}
