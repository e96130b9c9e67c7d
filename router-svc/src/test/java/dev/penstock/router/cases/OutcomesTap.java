package dev.penstock.router.cases;

import dev.penstock.kit.bus.Subscription;
import dev.penstock.model.Outcomes.ReplicaOutcomes;
import dev.penstock.model.Topics;
import dev.penstock.testkit.Await;
import dev.penstock.wire.MalformedRecordException;
import dev.penstock.wire.OutcomesCodec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** What routers tell health-svc of their replicas, added up since it was opened. */
final class OutcomesTap implements AutoCloseable {
    private final Map<Integer, Long> numberToEvents = new ConcurrentHashMap<>();
    private final Subscription subscription;

    private OutcomesTap(CaseInfra infra, CountDownLatch reading) {
        subscription = infra.feed()
                .bus()
                .subscribe(List.of(Topics.OUTCOMES), (topic, key, value, nanos) -> told(value), reading::countDown);
    }

    static OutcomesTap open(CaseInfra infra) {
        CountDownLatch reading = new CountDownLatch(1);
        OutcomesTap tap = new OutcomesTap(infra, reading);
        Await.until("outcomes are read", Duration.ofSeconds(10), () -> reading.getCount() == 0);
        return tap;
    }

    /** Stream events that came from a replica. */
    long events(int number) {
        return numberToEvents.getOrDefault(number, 0L);
    }

    @Override
    public void close() {
        subscription.close();
    }

    private void told(byte[] value) {
        try {
            for (ReplicaOutcomes each : OutcomesCodec.decode(value).replicas()) {
                numberToEvents.merge(each.number(), each.outputEvents(), Long::sum);
            }
        } catch (MalformedRecordException e) {
            throw new IllegalStateException(e);
        }
    }
}
