package dev.penstock.ledgermodel;

import dev.penstock.core.ledger.HolderBook;
import dev.penstock.core.ledger.HolderId;
import dev.penstock.core.ledger.OwnerBook;
import dev.penstock.core.ledger.Rules;
import dev.penstock.core.ledger.Sync;
import dev.penstock.core.rate.FallingLimit;
import dev.penstock.core.rate.RateLimit;
import dev.penstock.core.rate.ShareHolder;
import dev.penstock.core.rate.ShareMove;
import dev.penstock.core.rate.ShareOwner;
import dev.penstock.core.rate.SharesMoved;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The production rules with one owner: shares that move each 100 ms, by messages of 0.5 to 5 ms in order. A cut stream is noticed
 * a second later; until then the owner sends into it.
 */
final class ConservedShares implements RatePolicy {
    private static final long EPOCH = 1;
    private static final int REPLICA = 0;
    private static final long TICK_NANOS = 100_000_000L;
    private static final long LEAST_DELAY_NANOS = 500_000L;
    private static final long MOST_DELAY_NANOS = 5_000_000L;
    private static final long NOTICED_NANOS = 1_000_000_000L;

    private final RateCourse course;
    private final SplittableRandom random;
    private final OwnerBook book = new OwnerBook(EPOCH, Rules.ALL);
    private final ShareOwner owner = new ShareOwner(book, REPLICA);
    private final Knows ownerKnows;
    private final Router[] routers;
    private long ticks;
    private boolean cut;
    private long noticedNanos = Long.MAX_VALUE;

    /** What one process knows of the limit, late. */
    private final class Knows {
        final long delayNanos = random.nextLong(RateJudge.LAG_NANOS / 2);
        final FallingLimit limit = new FallingLimit(course.milliRps(), 0);
        long seenNanos;

        RateLimit now(long nowNanos) {
            course.tell(limit, seenNanos - delayNanos, nowNanos - delayNanos);
            seenNanos = nowNanos;
            return limit.now(nowNanos);
        }
    }

    private final class Router {
        final HolderBook book;
        final ShareHolder shares;
        final Knows knows = new Knows();
        final Deque<Late> toOwner = new ArrayDeque<>();
        final Deque<Late> toRouter = new ArrayDeque<>();
        boolean saidWaiting;

        Router(int number) {
            book = new HolderBook(new HolderId("r" + number, number), EPOCH, Rules.ALL);
            shares = new ShareHolder(book, REPLICA, new RateLimit(course.milliRps()), 0);
        }
    }

    private record Late(long dueNanos, Object message) {}

    private record Report(int arrivals, int waiting) {}

    private record Ask(int waiting) {}

    ConservedShares(RateCourse course, SplittableRandom random) {
        this.course = course;
        this.random = random;
        ownerKnows = new Knows();
        book.factsRead();
        routers = new Router[course.routers()];
        for (int i = 0; i < routers.length; i++) {
            routers[i] = new Router(i);
            book.registered(routers[i].book.id());
            send(routers[i].toOwner, routers[i].book.open(EPOCH), 0);
        }
    }

    @Override
    public void step(long nowNanos, RateQueue[] queues) {
        cut(nowNanos);
        boolean tick = nowNanos / TICK_NANOS != ticks;
        ticks = nowNanos / TICK_NANOS;
        for (int i = 0; i < routers.length; i++) {
            Router router = routers[i];
            if (tick) router.shares.bucket().limit(router.knows.now(nowNanos), nowNanos);
            take(router, nowNanos);
            say(router, queues[i], tick, nowNanos);
        }
        if (tick) send(owner.plan(ownerKnows.now(nowNanos), nowNanos), nowNanos);
    }

    private void cut(long nowNanos) {
        Router router = routers[RateCourse.CUT_ROUTER];
        if (course.cut(nowNanos) == cut) {
            if (nowNanos >= noticedNanos) {
                owner.silent(router.book.id());
                noticedNanos = Long.MAX_VALUE;
            }
            return;
        }
        cut = !cut;
        router.toOwner.clear();
        router.toRouter.clear();
        if (cut) noticedNanos = nowNanos + NOTICED_NANOS;
        else send(router.toOwner, router.book.open(EPOCH), nowNanos);
    }

    private boolean unreachable(Router router) {
        return cut && router == routers[RateCourse.CUT_ROUTER];
    }

    private void say(Router router, RateQueue queue, boolean tick, long nowNanos) {
        if (tick) {
            send(router.toOwner, new Report(queue.arrivals, queue.waiting), nowNanos);
            queue.arrivals = 0;
        } else if (queue.waiting > 0 != router.saidWaiting) {
            send(router.toOwner, new Ask(queue.waiting), nowNanos);
        }
        router.saidWaiting = queue.waiting > 0;
    }

    private void take(Router router, long nowNanos) {
        long session = router.book.session();
        while (due(router.toOwner, nowNanos))
            hear(router, session, router.toOwner.removeFirst().message(), nowNanos);
        while (due(router.toRouter, nowNanos)) {
            switch ((ShareMove) router.toRouter.removeFirst().message()) {
                case ShareMove.Grant grant -> router.shares.granted(EPOCH, session, grant.moved(), nowNanos);
                case ShareMove.Recall recall -> {
                    SharesMoved moved = router.shares.recalled(EPOCH, session, recall.target(), nowNanos);
                    if (moved.shares() > 0) send(router.toOwner, moved, nowNanos);
                }
            }
        }
    }

    private void hear(Router router, long session, Object message, long nowNanos) {
        HolderId id = router.book.id();
        RateLimit limit = ownerKnows.now(nowNanos);
        switch (message) {
            case Sync sync -> {
                if (book.sync(sync) != OwnerBook.Greeting.WELCOME) throw new IllegalStateException("refused: " + sync);
                owner.reachable(id, nowNanos);
            }
            case SharesMoved moved -> {
                owner.returned(id, session, moved);
                send(owner.grants(limit), nowNanos);
            }
            case Report report -> owner.reported(id, report.arrivals(), report.waiting(), nowNanos);
            case Ask ask -> {
                owner.asked(id, ask.waiting());
                send(owner.plan(limit, nowNanos), nowNanos);
            }
            default -> throw new IllegalStateException("unknown: " + message);
        }
    }

    private static boolean due(Deque<Late> messages, long nowNanos) {
        return !messages.isEmpty() && messages.getFirst().dueNanos() <= nowNanos;
    }

    private void send(List<ShareMove> moves, long nowNanos) {
        for (ShareMove move : moves)
            for (Router each : routers)
                if (each.book.id().equals(move.to()) && !unreachable(each)) send(each.toRouter, move, nowNanos);
    }

    private void send(Deque<Late> messages, Object message, long nowNanos) {
        for (Router each : routers) if (each != null && each.toOwner == messages && unreachable(each)) return;
        long due = nowNanos + random.nextLong(LEAST_DELAY_NANOS, MOST_DELAY_NANOS);
        if (!messages.isEmpty()) due = Math.max(due, messages.getLast().dueNanos());
        messages.addLast(new Late(due, message));
    }

    @Override
    public boolean admits(int router, long nowNanos) {
        return routers[router].shares.bucket().tryAcquire(nowNanos);
    }
}
