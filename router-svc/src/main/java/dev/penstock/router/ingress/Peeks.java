package dev.penstock.router.ingress;

import dev.penstock.router.body.BodyPeek;
import java.util.ArrayDeque;

/** Scanners of request bodies that are free: bodies come interleaved, and a scanner has buffers worth keeping. One event loop's. */
final class Peeks {
    private static final int MOST_KEPT = 64;

    private final byte[] window = BodyPeek.newWindow();
    private final ArrayDeque<BodyPeek> free = new ArrayDeque<>();

    BodyPeek take() {
        BodyPeek peek = free.poll();
        return peek == null ? new BodyPeek(window) : peek;
    }

    void give(BodyPeek peek) {
        peek.facts().clear();
        if (free.size() < MOST_KEPT) free.push(peek);
    }
}
