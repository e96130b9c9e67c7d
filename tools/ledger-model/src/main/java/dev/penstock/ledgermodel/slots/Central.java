package dev.penstock.ledgermodel.slots;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;

/** What one counter of all slots would serve, with the same patience: the best there is. */
final class Central {
    private Central() {}

    static Tally serve(Scene scene, List<Request> requests, long patienceNanos) {
        Tally tally = new Tally(scene.routers(), scene.warmNanos());
        PriorityQueue<Long> ends = new PriorityQueue<>();
        Deque<Request> waiting = new ArrayDeque<>();
        for (Request request : requests) {
            drain(ends, waiting, request.arrivalNanos(), patienceNanos, tally);
            if (ends.size() < scene.slots()) {
                tally.served(request, request.arrivalNanos());
                ends.add(request.arrivalNanos() + request.serviceNanos());
            } else {
                waiting.add(request);
            }
        }
        drain(ends, waiting, Long.MAX_VALUE, patienceNanos, tally);
        return tally;
    }

    private static void drain(
            PriorityQueue<Long> ends, Deque<Request> waiting, long untilNanos, long patienceNanos, Tally tally) {
        while (!ends.isEmpty() && ends.peek() <= untilNanos) {
            long now = ends.remove();
            while (!waiting.isEmpty() && waiting.peek().arrivalNanos() + patienceNanos < now)
                tally.rejected(waiting.remove());
            Request next = waiting.poll();
            if (next == null) continue;
            tally.served(next, now);
            ends.add(now + next.serviceNanos());
        }
    }
}
