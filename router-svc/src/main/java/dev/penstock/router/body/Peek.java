package dev.penstock.router.body;

import org.jspecify.annotations.Nullable;

/** What routing needs of a request body. Values are never coerced: {@code "stream": "true"} is a client's mistake. */
public sealed interface Peek {
    /**
     * A body that can be routed. Of a key that it has twice the last one counts, as it does to engines.
     *
     * @param modelStart where the model's JSON string begins in the body, its quote included
     * @param modelEnd where it is over
     * @param objectStart behind the opening brace: a field can be put there, unless the body has it too
     * @param choices sequences that it asks for: {@code n} of each prompt
     * @param maxTokens -1 if it is not given, or in a way that the engine has to judge
     * @param ridStart where the value of {@code rid} begins, a string or null; -1 without
     * @param ridEnd where it is over; -1 without
     * @param previousResponseStart where the string of {@code previous_response_id} begins, its quote included; -1 without
     * @param previousResponseEnd where it is over; -1 without
     */
    record Peeked(
            String model,
            boolean stream,
            long modelStart,
            long modelEnd,
            long objectStart,
            int choices,
            boolean hasMaxTokens,
            long maxTokens,
            long ridStart,
            long ridEnd,
            @Nullable String previousResponseId,
            long previousResponseStart,
            long previousResponseEnd)
            implements Peek {}

    /** A body that can't: 400, naming the field where one is to blame. */
    record Invalid(String message, @Nullable String param) implements Peek {}
}
