package dev.penstock.enginesim.openai;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Answers being made, for whoever has to end them all, or one. On the engine's event loop. */
public final class OpenAnswers {
    /** An answer that is not whole. */
    public interface OpenAnswer {
        /** What its client calls it. */
        String id();

        /** Whether the engine still works for it. */
        boolean working();

        /** Drops its work; nobody will read an answer. */
        void drop();

        /** Ends it as an aborted one: what there is, with finish_reason {@code abort}. */
        void abort();

        /** Ends it with the error of a dead engine, in the stream if that has begun. */
        void fail();
    }

    private final Set<OpenAnswer> open = new LinkedHashSet<>();
    /** Their clients have gone, and the engine has not noticed or does not care. */
    private final Set<OpenAnswer> left = new LinkedHashSet<>();

    public void add(OpenAnswer answer) {
        open.add(answer);
    }

    public void remove(OpenAnswer answer) {
        open.remove(answer);
    }

    /** Its client has gone; its work has not. */
    void leave(OpenAnswer answer) {
        left.removeIf(each -> !each.working());
        if (answer.working()) {
            left.add(answer);
        }
    }

    boolean has(String id) {
        return open.stream().anyMatch(answer -> answer.id().equals(id));
    }

    public boolean none() {
        return open.isEmpty();
    }

    public void dropAll() {
        List.copyOf(open).forEach(OpenAnswer::drop);
        left.forEach(OpenAnswer::drop);
        left.clear();
    }

    public void abortAll() {
        abort(_ -> true);
    }

    /**
     * Those whose id starts with this, as SGLang reads a rid; also where the client has gone.
     *
     * @return how many were at work
     */
    public int abort(String idPrefix) {
        return abort(answer -> answer.id().startsWith(idPrefix));
    }

    /** Those that are asked for. @return how many were at work */
    public int abort(Predicate<OpenAnswer> which) {
        int atWork = 0;
        for (OpenAnswer answer : List.copyOf(open)) {
            if (which.test(answer)) {
                atWork += answer.working() ? 1 : 0;
                answer.abort();
            }
        }
        for (OpenAnswer answer : List.copyOf(left)) {
            if (which.test(answer)) {
                atWork += answer.working() ? 1 : 0;
                answer.drop();
                left.remove(answer);
            }
        }
        return atWork;
    }

    public void failAll() {
        List.copyOf(open).forEach(OpenAnswer::fail);
    }
}
