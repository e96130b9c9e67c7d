package dev.penstock.core.kvevents;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One engine's stream of events, numbered from 0 since its process began. A publisher drops what a slow subscriber does not
 * take, without a word, but keeps its latest messages to tell them again.
 *
 * <pre>
 *   number       meaning                        what follows
 *   next         in order                       applied
 *   above next   some were missed, or this      held until those before it were told again; what replay does not have any
 *                subscriber is new              more may have removed blocks, so everything before is forgotten
 *   below next   the engine began anew          everything is forgotten, then as above
 * </pre>
 *
 * Used on one thread.
 */
public final class KvStream {
    private final KvBlocks blocks;
    private long next;
    private @Nullable Message held;
    private boolean catchingUp;
    /** Messages below this number were told again already, and may come once more. */
    private long twiceBelow;

    private long gaps;
    private long restarts;

    private record Message(long sequence, List<KvEvent> events) {}

    public KvStream(KvBlocks blocks) {
        this.blocks = blocks;
    }

    /** True when it was applied; false when messages from {@link #next} on have to be asked for before anything else is read. */
    public boolean message(long sequence, List<KvEvent> events) {
        if (replaying()) throw new IllegalStateException("message " + sequence + " while " + next + " is asked for");
        if (sequence < twiceBelow) return true;
        twiceBelow = 0;
        if (sequence < next) {
            restarts++;
            forget();
        }
        if (sequence == next) {
            apply(sequence, events);
            return true;
        }
        if (next > 0) gaps++;
        held = new Message(sequence, events);
        return false;
    }

    /** The engine was reached: what it told before has to be asked for, from {@link #next} on. */
    public void reached() {
        forget();
        catchingUp = true;
    }

    /** A message that was told again; true when it was one of those that are awaited. */
    public boolean replayed(long sequence, List<KvEvent> events) {
        Message until = held;
        if (!replaying() || sequence < next || (until != null && sequence >= until.sequence())) return false;
        if (sequence > next && next > 0) blocks.clear();
        apply(sequence, events);
        return true;
    }

    /** Nothing more is told again, or it took too long. */
    public void replayEnded() {
        if (catchingUp) twiceBelow = next;
        catchingUp = false;
        Message last = held;
        if (last == null) return;
        held = null;
        if (last.sequence() != next && next > 0) blocks.clear();
        apply(last.sequence(), last.events());
    }

    /** The connection was lost, and perhaps the process behind it: nothing that was told holds. */
    public void forget() {
        held = null;
        catchingUp = false;
        twiceBelow = 0;
        next = 0;
        blocks.clear();
    }

    /** The number that is awaited. */
    public long next() {
        return next;
    }

    public boolean replaying() {
        return held != null || catchingUp;
    }

    /** Times that messages were missed. */
    public long gaps() {
        return gaps;
    }

    /** Times that the engine began anew. */
    public long restarts() {
        return restarts;
    }

    public KvBlocks blocks() {
        return blocks;
    }

    private void apply(long sequence, List<KvEvent> events) {
        for (KvEvent event : events) blocks.apply(event);
        next = sequence + 1;
    }
}
