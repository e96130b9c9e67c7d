package dev.penstock.router.stream;

import dev.penstock.model.Outcome;

/** What was read of one answer so far. Written by a scanner on the request's event loop. */
public final class Notes {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int UNAVAILABLE = 503;
    /** Anthropic's word for 503. */
    private static final int OVERLOADED = 529;

    long events;
    long promptTokens = -1;
    long completionTokens = -1;
    int finished;
    boolean content;
    boolean aborted;
    boolean failedFinish;
    boolean done;
    /** Of the first error; 0 = none. */
    int errorCode;

    /** Whole events so far; what an end of the body left over counts as one. */
    public long events() {
        return events;
    }

    /** -1 = not told. */
    public long promptTokens() {
        return promptTokens;
    }

    /** -1 = not told. */
    public long completionTokens() {
        return completionTokens;
    }

    /** Something a user would see has come: text, reasoning, a tool's call, bytes. */
    public boolean hasContent() {
        return content;
    }

    /** What ends this API's streams has come. */
    public boolean done() {
        return done;
    }

    /** Status of an error in the body, 0 = none. */
    public int errorCode() {
        return errorCode;
    }

    /** Nothing was generated, and the engine says that it can't take the request now. */
    public boolean refused() {
        return !content && (aborted || backPressure(errorCode));
    }

    /** The status that a refusal stands for. */
    public int refusedStatus() {
        return errorCode == TOO_MANY_REQUESTS ? TOO_MANY_REQUESTS : UNAVAILABLE;
    }

    /** It is known what the answer is: nothing that is still to come can make it a refusal. */
    public boolean decided() {
        return content || aborted || errorCode != 0 || finished > 0 || done;
    }

    /**
     * How an answer with status 200 went whose body ended cleanly.
     *
     * @param choices that were asked for
     */
    public Outcome outcome(Framing framing, int choices) {
        if (errorCode != 0) return ofCode(errorCode);
        if (refused()) return Outcome.BACKPRESSURE;
        if (failedFinish) return Outcome.REPLICA_ERROR;
        return switch (framing) {
            case CHAT -> aborted || finished < choices ? Outcome.INCOMPLETE_STREAM : Outcome.OK;
            case RESPONSES, MESSAGES -> done ? Outcome.OK : Outcome.INCOMPLETE_STREAM;
            case OTHER -> Outcome.OK;
        };
    }

    /** What an error's status says of the replica. */
    public static Outcome ofCode(int code) {
        if (backPressure(code)) return Outcome.BACKPRESSURE;
        if (code >= 500) return Outcome.REPLICA_ERROR;
        return code >= 400 ? Outcome.CLIENT_ERROR : Outcome.OK;
    }

    /** The replica is full; another one may not be. */
    public static boolean backPressure(int code) {
        return code == TOO_MANY_REQUESTS || code == UNAVAILABLE || code == OVERLOADED;
    }
}
