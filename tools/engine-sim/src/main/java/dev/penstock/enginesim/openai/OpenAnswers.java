package dev.penstock.enginesim.openai;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Answers being made, for whoever has to end them all, or one. On the engine's event loop. */
public final class OpenAnswers {
    /** An answer that is not whole. */
    interface OpenAnswer {
        /** What its client calls it. */
        String id();

        /** Drops its work; nobody will read an answer. */
        void drop();

        /** Ends it as an aborted one: what there is, with finish_reason {@code abort}. */
        void abort();

        /** Ends it with an error, in the stream if that has begun. */
        void fail(ErrorReply reply);
    }

    private final Set<OpenAnswer> open = new LinkedHashSet<>();

    void add(OpenAnswer answer) {
        open.add(answer);
    }

    void remove(OpenAnswer answer) {
        open.remove(answer);
    }

    boolean has(String id) {
        return open.stream().anyMatch(answer -> answer.id().equals(id));
    }

    public boolean none() {
        return open.isEmpty();
    }

    public void dropAll() {
        List.copyOf(open).forEach(OpenAnswer::drop);
    }

    public void abortAll() {
        List.copyOf(open).forEach(OpenAnswer::abort);
    }

    /** Those whose id starts with this, as SGLang reads a rid; all of them for an empty one. */
    public void abort(String idPrefix) {
        List.copyOf(open).stream()
                .filter(answer -> answer.id().startsWith(idPrefix))
                .forEach(OpenAnswer::abort);
    }

    public void failAll(ErrorReply reply) {
        List.copyOf(open).forEach(answer -> answer.fail(reply));
    }
}
