package dev.penstock.router.cases;

import dev.penstock.testkit.Await;
import dev.penstock.testkit.raw.RawClient;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/** How much of a long upload its peer has taken so far. */
final class Counted {
    private static final int PIECE = 256 << 10;
    /** Looks, 10 ms apart, in which nothing moved. */
    private static final int STILL = 100;

    private final AtomicLong sent = new AtomicLong();
    private long last;
    private int still;

    /** Returns early where the peer takes no more. */
    void send(RawClient client, byte[] bytes) {
        try {
            for (int at = 0; at < bytes.length; at += PIECE) {
                int to = Math.min(bytes.length, at + PIECE);
                client.send(Arrays.copyOfRange(bytes, at, to));
                sent.set(to);
            }
        } catch (IOException refused) {
            // what came back says why
        }
    }

    /** Once nothing has been taken for a second. */
    long awaitStill() {
        Await.until("nothing moves", Duration.ofSeconds(30), () -> {
            long now = sent.get();
            still = now == last ? still + 1 : 0;
            last = now;
            return now > 0 && still >= STILL;
        });
        return last;
    }
}
