package dev.penstock.router.body;

import io.vertx.core.buffer.Buffer;
import java.util.Set;

/**
 * Reads what routing needs of a request body while it comes in, and checks that it is one JSON object. Bytes are looked at once,
 * and copied to nowhere but a window of 16 KiB that stays in the processor's nearest cache. One body at a time; used again for
 * each, by one event loop.
 */
public final class BodyPeek {
    private static final int WINDOW = 16 * 1024;

    private final byte[] window;
    private final BodyFacts facts = new BodyFacts();
    private final TopLevel fields = new TopLevel(facts);
    private final JsonScan scan = new JsonScan(fields);

    public BodyPeek() {
        this(newWindow());
    }

    /** With a window of {@link #newWindow}: one is enough for all of an event loop, nothing stays in it. */
    public BodyPeek(byte[] window) {
        if (window.length < WINDOW + Utf8Run.LOOK_AHEAD) {
            throw new IllegalArgumentException(
                    "window: " + window.length + " bytes, expected " + (WINDOW + Utf8Run.LOOK_AHEAD));
        }
        this.window = window;
    }

    public static byte[] newWindow() {
        return new byte[WINDOW + Utf8Run.LOOK_AHEAD];
    }

    /**
     * A body begins.
     *
     * @param sessionFields top-level fields that may name a session; the same object while they are the same
     */
    public void start(Set<String> sessionFields) {
        scan.start();
        facts.start(sessionFields);
        fields.start();
    }

    /** The next bytes of the body; they may be cut anywhere. */
    public void feed(Buffer chunk) {
        int length = chunk.length();
        for (int from = 0; from < length && !scan.faulty(); from += WINDOW) {
            int to = Math.min(length, from + WINDOW);
            chunk.getBytes(from, to, window, 0);
            long base = scan.position();
            scan.feed(window, to - from);
            facts.tools().pass(window, base, to - from);
        }
    }

    /** Whether nothing that may come can make it valid: the rest need not be read. */
    public boolean faulty() {
        return scan.faulty();
    }

    /** The body is over. */
    public Peek finish() {
        String fault = scan.finish();
        return fault == null ? fields.peek(scan.objectStart()) : new Peek.Invalid(fault, null);
    }

    /** What else it said; of the body that was fed last, until it is cleared. */
    public BodyFacts facts() {
        return facts;
    }
}
