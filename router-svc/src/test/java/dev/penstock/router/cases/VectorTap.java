package dev.penstock.router.cases;

import dev.penstock.kit.bus.Subscription;
import dev.penstock.model.InflightVector;
import dev.penstock.model.Topics;
import dev.penstock.testkit.Await;
import dev.penstock.wire.InflightCodec;
import dev.penstock.wire.MalformedRecordException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** What one router tells the others of its in-flight counts. */
public final class VectorTap implements AutoCloseable {
    private final String router;
    private final Map<Integer, Integer> numberToCount = new ConcurrentHashMap<>();
    private final AtomicInteger lowest = new AtomicInteger();
    private final AtomicInteger vectors = new AtomicInteger();
    private final Subscription subscription;

    private VectorTap(RouterScene scene, CountDownLatch reading) {
        router = scene.name();
        subscription = scene.infra()
                .feed()
                .bus()
                .subscribe(
                        List.of(Topics.INFLIGHT), (topic, key, value, nanos) -> told(key, value), reading::countDown);
    }

    public static VectorTap open(RouterScene scene) {
        CountDownLatch reading = new CountDownLatch(1);
        VectorTap tap = new VectorTap(scene, reading);
        Await.until("vectors are read", Duration.ofSeconds(10), () -> reading.getCount() == 0);
        return tap;
    }

    /** The last count of a replica. */
    public int count(int number) {
        return numberToCount.getOrDefault(number, 0);
    }

    public int lowest() {
        return lowest.get();
    }

    public int vectors() {
        return vectors.get();
    }

    @Override
    public void close() {
        subscription.close();
    }

    private void told(String key, byte[] value) {
        if (!key.equals(router)) return;
        try {
            InflightVector vector = InflightCodec.decode(value);
            if (vector.full()) numberToCount.clear();
            for (int i = 0; i < vector.numbers().length; i++) {
                numberToCount.put(vector.numbers()[i], vector.counts()[i]);
                lowest.accumulateAndGet(vector.counts()[i], Math::min);
            }
            vectors.incrementAndGet();
        } catch (MalformedRecordException e) {
            throw new IllegalStateException(e);
        }
    }
}
