package dev.penstock.router.endings;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.kit.bus.Subscription;
import dev.penstock.model.DemandRecord.ModelDemand;
import dev.penstock.model.Outcomes;
import dev.penstock.model.Outcomes.ReplicaOutcomes;
import dev.penstock.model.TopicSpec;
import dev.penstock.model.Topics;
import dev.penstock.router.cases.RouterScene;
import dev.penstock.testkit.Await;
import dev.penstock.wire.DemandCodec;
import dev.penstock.wire.MalformedRecordException;
import dev.penstock.wire.OutcomesCodec;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What one router counts: outcomes per replica and demand per model as it tells them to others, and its replicas in flight, looked
 * at all the time.
 */
final class Books implements AutoCloseable {
    private static final long LOOK_MILLIS = 25;
    private static final Duration SOON = Duration.ofSeconds(10);

    private final RouterScene scene;
    private final Subscription subscription;
    private final Map<Integer, Map<String, Long>> numberToOutcomes = new ConcurrentHashMap<>();
    private final Map<String, ModelDemand> modelToDemand = new ConcurrentHashMap<>();
    private final Thread looking;
    private long outcomesSequence;
    private volatile boolean outcomesLost;
    private volatile Map<Integer, Integer> numberToInflight = Map.of();
    private volatile int lowest;
    private volatile long looks;
    private volatile boolean closed;

    private Books(RouterScene scene, CountDownLatch reading) {
        this.scene = scene;
        this.subscription = scene.infra()
                .feed()
                .bus()
                .subscribe(
                        List.of(Topics.OUTCOMES, Topics.DEMAND),
                        (topic, key, value, nanos) -> told(topic, key, value),
                        reading::countDown);
        this.looking = Thread.ofVirtual().start(this::look);
    }

    static Books open(RouterScene scene) {
        CountDownLatch reading = new CountDownLatch(1);
        Books books = new Books(scene, reading);
        Await.until("what the router tells is read", SOON, () -> reading.getCount() == 0);
        return books;
    }

    /** Attempts at these replicas by how they ended, connects that failed among them. */
    Map<String, Long> outcomes(List<Integer> numbers) {
        Map<String, Long> sum = new TreeMap<>();
        for (int number : numbers) {
            numberToOutcomes
                    .getOrDefault(number, Map.of())
                    .forEach((outcome, count) -> sum.merge(outcome, count, Long::sum));
        }
        return sum;
    }

    /** What is told to others may be lost when Kafka is slow: then there are no more than these, and the page of metrics knows. */
    boolean hasOutcomes(List<Integer> numbers, Map<String, Long> expected) {
        Map<String, Long> told = outcomes(numbers);
        if (!outcomesLost) return told.equals(expected);
        return told.entrySet().stream().allMatch(each -> each.getValue() <= expected.getOrDefault(each.getKey(), 0L));
    }

    /** Requests for a model by how they ended, {@code running} among them; counts of 0 left out. */
    Map<String, Long> demand(String model) {
        ModelDemand demand = modelToDemand.get(model);
        Map<String, Long> counts = new TreeMap<>();
        if (demand == null) return counts;
        counts.put("running", (long) demand.running());
        counts.put("completed", demand.completed());
        counts.put("failed", demand.failed());
        counts.put("cancelled", demand.cancelled());
        counts.put("expired", demand.expired());
        counts.put("shed", demand.shed());
        counts.values().removeIf(count -> count == 0);
        return counts;
    }

    long arrived(String model) {
        ModelDemand demand = modelToDemand.get(model);
        return demand == null ? 0 : demand.arrived();
    }

    /** In flight at these replicas, as of a look that began after this call. */
    int inflight(List<Integer> numbers) {
        long before = looks;
        Await.until("another look", SOON, () -> looks > before + 1);
        Map<Integer, Integer> seen = numberToInflight;
        return numbers.stream().mapToInt(number -> seen.getOrDefault(number, 0)).sum();
    }

    /** The lowest count in flight ever seen at any replica. */
    int lowest() {
        return lowest;
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        looking.join();
        subscription.close();
    }

    private void look() {
        while (!closed) {
            Map<Integer, Integer> seen = new HashMap<>();
            for (JsonNode replica : scene.view().path("replicas")) {
                int own = replica.path("own").asInt();
                seen.put(replica.path("number").asInt(), own);
                if (own < lowest) lowest = own;
            }
            numberToInflight = seen;
            looks++;
            pass();
        }
    }

    private void pass() {
        try {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        } catch (InterruptedException e) {
            closed = true;
        }
    }

    private void told(TopicSpec topic, @Nullable String key, byte @Nullable [] value) {
        if (value == null || !scene.name().equals(key)) return;
        try {
            if (topic.equals(Topics.DEMAND)) {
                for (ModelDemand each : DemandCodec.decode(value).models()) modelToDemand.put(each.model(), each);
            } else {
                Outcomes outcomes = OutcomesCodec.decode(value);
                if (outcomes.header().sequence() != ++outcomesSequence) {
                    outcomesLost = true;
                    outcomesSequence = outcomes.header().sequence();
                }
                for (ReplicaOutcomes each : outcomes.replicas()) add(each);
            }
        } catch (MalformedRecordException e) {
            throw new IllegalStateException(e);
        }
    }

    private void add(ReplicaOutcomes told) {
        numberToOutcomes.compute(told.number(), (number, before) -> {
            Map<String, Long> after = new TreeMap<>(before == null ? Map.of() : before);
            told.counts()
                    .forEach((outcome, count) ->
                            after.merge(outcome.name().toLowerCase(Locale.ROOT), (long) count, Long::sum));
            if (told.connectFailures() > 0) after.merge("connect_failure", (long) told.connectFailures(), Long::sum);
            return after;
        });
    }
}
