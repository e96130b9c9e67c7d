package dev.penstock.router.relay;

import io.vertx.core.http.HttpConnection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The running exchanges of one event loop, looked at ten times a second: a timer per request would cost more than all its
 * limits are worth. A list that its members carry the links of; joining and leaving allocate nothing.
 */
public final class Watch {
    public static final long MILLIS = 100;

    private final Member head = new Member() {
        @Override
        protected void look(long nowNanos) {}
    };
    /** Who is looked at next: whoever leaves must not take those behind it along. */
    private @Nullable Member next;

    private boolean stopped;
    private int count;

    /** Something with limits in time. */
    public abstract static class Member {
        private @Nullable Member before;
        private @Nullable Member after;

        /** Called some ten times a second, on the event loop; may {@link Watch#leave}. */
        protected abstract void look(long nowNanos);

        /** The client's, or null where there is none. */
        protected @Nullable HttpConnection connection() {
            return null;
        }

        /** The router has no more time. */
        protected void stopping() {}
    }

    public void join(Member member) {
        Member first = head.after;
        member.before = head;
        member.after = first;
        if (first != null) first.before = member;
        head.after = member;
        count++;
    }

    /** Nothing happens when it is not in. */
    public void leave(Member member) {
        Member before = member.before;
        if (before == null) return;
        if (next == member) next = member.after;
        before.after = member.after;
        if (member.after != null) member.after.before = before;
        member.before = null;
        member.after = null;
        count--;
    }

    public void look(long nowNanos) {
        next = head.after;
        while (next != null) {
            Member each = next;
            next = each.after;
            each.look(nowNanos);
        }
    }

    /** The router stops: what is still in is told so. */
    public void stop() {
        stopped = true;
        next = head.after;
        while (next != null) {
            Member each = next;
            next = each.after;
            each.stopping();
        }
    }

    /** Of clients whose requests are in. */
    public Set<HttpConnection> connections() {
        Set<HttpConnection> connections = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Member each = head.after; each != null; each = each.after) {
            HttpConnection connection = each.connection();
            if (connection != null) connections.add(connection);
        }
        return connections;
    }

    /** Nobody who joins from then on is told. */
    public boolean stopped() {
        return stopped;
    }

    public int count() {
        return count;
    }
}
