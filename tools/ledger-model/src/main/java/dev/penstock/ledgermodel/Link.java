package dev.penstock.ledgermodel;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.function.IntConsumer;

/** One stream: in order, once, and what was not taken may never be. */
final class Link {
    final int owner;
    final long epoch;
    final long session;
    final Deque<Message> toOwner;
    final Deque<Message> toRouter;

    Link(int owner, long epoch, long session) {
        this(owner, epoch, session, new ArrayDeque<>(4), new ArrayDeque<>(4));
    }

    private Link(int owner, long epoch, long session, Deque<Message> toOwner, Deque<Message> toRouter) {
        this.owner = owner;
        this.epoch = epoch;
        this.session = session;
        this.toOwner = toOwner;
        this.toRouter = toRouter;
    }

    Link copy() {
        return new Link(owner, epoch, session, new ArrayDeque<>(toOwner), new ArrayDeque<>(toRouter));
    }

    void state(IntConsumer out) {
        out.accept(owner);
        out.accept((int) epoch);
        for (Message each : toOwner) state(each, out);
        out.accept(-1);
        for (Message each : toRouter) state(each, out);
        out.accept(-2);
    }

    private static void state(Message message, IntConsumer out) {
        switch (message) {
            case Message.Hello(var sync) -> {
                out.accept(100);
                for (int held : sync.held()) out.accept(held);
            }
            case Message.Returned(int replica, int slots) -> out.accept(200 + replica * 16 + slots);
            case Message.Granted(int replica, int slots) -> out.accept(300 + replica * 16 + slots);
            case Message.Recalled(int replica, int target) -> out.accept(400 + replica * 16 + target);
        }
    }

    @Override
    public String toString() {
        return "to o" + owner + " epoch " + epoch + " session " + session + " >" + names(toOwner) + " <"
                + names(toRouter);
    }

    private static String names(Deque<Message> messages) {
        return Arrays.toString(messages.stream()
                .map(each -> each instanceof Message.Hello(var sync)
                        ? "Sync" + Arrays.toString(sync.held())
                        : each.toString())
                .toArray());
    }
}
