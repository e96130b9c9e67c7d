package dev.penstock.testkit.raw;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** One thing that a {@link ScriptedReplica} does on its connection while it answers. */
public sealed interface Step {
    /** These bytes as they are. */
    @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
    record Send(byte[] bytes) implements Step {}

    /** These bytes as one HTTP chunk. */
    @SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
    record Chunk(byte[] bytes) implements Step {}

    /** Nothing for so long; notices a peer that closes. */
    record Wait(Duration time) implements Step {}

    /** Nothing until the test counts the latch down; notices a peer that closes. */
    record Until(CountDownLatch latch) implements Step {}

    /** Nothing until the peer closes. */
    record Hold() implements Step {}

    /** Closes with FIN. */
    record Fin() implements Step {}

    /** Closes with RST. */
    record Reset() implements Step {}
}
