package dev.penstock.admission.ledger;

import dev.penstock.core.feed.FrameGate;
import dev.penstock.model.Sample;
import dev.penstock.model.Shards;
import dev.penstock.model.TelemetryFrame;
import java.util.HashMap;
import java.util.Map;

/**
 * Between which moments of this host's clock a scrape began and was answered, as telemetry frames tell. Both are bounds: it began
 * at {@code begunNanos} or later, and was answered at {@code answeredNanos} or earlier.
 *
 * <pre>
 *   begun ........ asked ... answered .......... sent ................. received
 *     |  scrape's limit |       |      age        |  least + excess       |
 * </pre>
 *
 * Clocks of two hosts are not compared; the least time that a frame takes is not known, and 1 s is allowed for it: collectors
 * give a frame up after 500 ms. A reader that is behind would take all of them for younger than they are: a frame counts as sent no
 * later than the topic was last asked for its end, before the reading to there that preceded the frame. One thread.
 */
final class ScrapeTimes {
    private static final long LEAST_TRANSIT_NANOS = 1_000_000_000L;
    /** A scrape is given up after max(200 ms, 2 intervals). */
    private static final long SHORTEST_LIMIT_NANOS = 200_000_000L;

    private static final int LIMIT_INTERVALS = 2;

    private final Listener listener;
    private final Map<String, Stream> streams = new HashMap<>();
    private boolean readToEnd;
    private long storedAfterNanos;

    /** Told of each reading. */
    interface Listener {
        void scraped(int number, long begunNanos, long answeredNanos, int running, int waiting);

        /**
         * The engine's counters began anew, at some time after this moment. A sample says so for 3 s, so that after one of the
         * same stream that does not and knows the counters, they fell after that one.
         */
        void restarted(int number, long afterNanos);
    }

    /** A shard of a collector. */
    private static final class Stream {
        final FrameGate gate = new FrameGate();
        final Map<Integer, Sample> numberToLast = new HashMap<>();
        /** When the newest scrape before a restart had begun. */
        final Map<Integer, Long> numberToAlive = new HashMap<>();
    }

    ScrapeTimes(Listener listener) {
        this.listener = listener;
    }

    /** Frames that come from here on were stored after this moment: the topic was read to where it ended then. */
    void storedAfter(long nanos) {
        readToEnd = true;
        storedAfterNanos = nanos;
    }

    void frame(TelemetryFrame frame, long receiveNanos) {
        Stream stream = streams.computeIfAbsent(frame.header().producer() + "/" + frame.shard(), name -> new Stream());
        switch (stream.gate.admit(frame.header(), frame.full(), receiveNanos)) {
            case DROPPED -> {}
            // How long it was on its way is not known.
            case FIRST -> {
                stream.numberToLast.clear();
                stream.numberToAlive.clear();
                for (Sample sample : frame.samples()) stream.numberToLast.put(sample.number(), sample);
            }
            case AFTER_GAP -> read(stream, frame, receiveNanos, false);
            case IN_ORDER -> read(stream, frame, receiveNanos, true);
        }
    }

    private void read(Stream stream, TelemetryFrame frame, long receiveNanos, boolean complete) {
        if (frame.full() || !complete) stream.numberToLast.clear();
        for (Sample sample : frame.samples()) {
            stream.numberToLast.put(sample.number(), sample);
            tell(stream, sample, sample.ageMicros(), receiveNanos);
        }
        if (!complete) return;
        frame.sampledUnchanged().stream().forEach(position -> {
            Sample same = stream.numberToLast.get(Shards.number(frame.shard(), position));
            if (same != null) tell(stream, same, frame.unchangedAgeMicros(), receiveNanos);
        });
    }

    private void tell(Stream stream, Sample sample, long ageMicros, long receiveNanos) {
        long answered = receiveNanos - ageMicros * 1_000;
        long limit = Math.max(SHORTEST_LIMIT_NANOS, LIMIT_INTERVALS * sample.intervalMillis() * 1_000_000L);
        long sent = receiveNanos - stream.gate.excessNanos();
        if (!readToEnd) return;
        if (sent - storedAfterNanos > 0) sent = storedAfterNanos;
        long begun = sent - LEAST_TRANSIT_NANOS - ageMicros * 1_000 - limit;
        noteRestart(stream, sample, begun);
        listener.scraped(sample.number(), begun, answered, sample.running(), sample.waiting());
    }

    private void noteRestart(Stream stream, Sample sample, long begunNanos) {
        if (sample.restarted()) {
            Long alive = stream.numberToAlive.remove(sample.number());
            if (alive != null) listener.restarted(sample.number(), alive);
        } else if (sample.heartbeat() > 0) {
            stream.numberToAlive.put(sample.number(), begunNanos);
        }
    }
}
