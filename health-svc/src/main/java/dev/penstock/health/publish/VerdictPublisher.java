package dev.penstock.health.publish;

import dev.penstock.core.health.FleetHealth;
import dev.penstock.core.health.ReplicaHealth;
import dev.penstock.kit.bus.Incarnation;
import dev.penstock.kit.bus.KafkaBus;
import dev.penstock.kit.log.LogKeys;
import dev.penstock.model.Header;
import dev.penstock.model.Topics;
import dev.penstock.model.Verdict;
import dev.penstock.wire.HealthCodec;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells verdicts: changes at once, everything each second, spread over the ticks so that a large fleet is no burst. Only
 * between {@link #begin} and {@link #end}. Lives on health-svc's context.
 */
public final class VerdictPublisher {
    private static final Logger LOG = LoggerFactory.getLogger(VerdictPublisher.class);
    private static final long ASSERT_AGAIN_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long VALID_MICROS = 10_000_000;
    /** The bus holds 1,000 unsent facts; ten ticks of 50 ms tell a fleet of 2,000. */
    private static final int MOST_PER_TICK = 200;

    private final KafkaBus bus;
    private final Incarnation self;
    private final FleetHealth fleet;
    private final LongSupplier nanoClock;
    private final Map<Integer, Sent> numberToSent = new HashMap<>();
    private long epoch = Header.NO_EPOCH;
    private long sequence;
    private boolean failing;

    private record Sent(String uid, Verdict verdict, long atNanos) {}

    public VerdictPublisher(KafkaBus bus, Incarnation self, FleetHealth fleet, LongSupplier nanoClock) {
        this.bus = bus;
        this.self = self;
        this.fleet = fleet;
        this.nanoClock = nanoClock;
    }

    public void begin(long claimEpoch) {
        epoch = claimEpoch;
        numberToSent.clear();
    }

    public void end() {
        epoch = Header.NO_EPOCH;
        numberToSent.clear();
    }

    public long epoch() {
        return epoch;
    }

    private void tell(ReplicaHealth health) {
        int number = health.replica().number();
        long now = nanoClock.getAsLong();
        Header header = new Header(self.name(), self.nonce(), ++sequence, epoch, now);
        numberToSent.put(number, new Sent(health.replica().uid(), health.verdict(now), now));
        send(number, HealthCodec.encode(health.record(header, VALID_MICROS, now)));
    }

    public void tick() {
        // While Kafka is away, what is told now would only be old when it is back.
        if (epoch == Header.NO_EPOCH || (failing && !bus.connected())) return;
        long now = nanoClock.getAsLong();
        int left = MOST_PER_TICK;
        for (ReplicaHealth health : fleet.replicas()) {
            if (left == 0) return;
            if (!due(health, now)) continue;
            tell(health);
            left--;
        }
        for (int number : fleet.orphans()) {
            if (left-- == 0) return;
            takeBack(number, now);
        }
    }

    private boolean due(ReplicaHealth health, long nowNanos) {
        Sent sent = numberToSent.get(health.replica().number());
        return sent == null
                || nowNanos - sent.atNanos() >= ASSERT_AGAIN_NANOS
                || !sent.uid().equals(health.replica().uid())
                || changed(sent.verdict(), health.verdict(nowNanos));
    }

    /** Time that passes is no change. */
    static boolean changed(Verdict before, Verdict after) {
        return switch (after) {
            case Verdict.Ejected to ->
                !(before instanceof Verdict.Ejected from)
                        || from.severity() != to.severity()
                        || from.ejections() != to.ejections()
                        || !from.cause().equals(to.cause());
            case Verdict.Ramp to -> !(before instanceof Verdict.Ramp);
            case Verdict.HalfOpen to -> !to.equals(before);
            case Verdict.Suspect to -> !to.equals(before);
            case Verdict.Healthy to -> !to.equals(before);
            case Verdict.Unknown to -> !to.equals(before);
        };
    }

    /** Until its end has been read back, once a second. */
    private void takeBack(int number, long nowNanos) {
        Sent sent = numberToSent.get(number);
        boolean told = sent != null && sent.uid().isEmpty() && nowNanos - sent.atNanos() < ASSERT_AGAIN_NANOS;
        if (told) return;
        numberToSent.put(number, new Sent("", Verdict.UNKNOWN, nowNanos));
        send(number, null);
    }

    private void send(int number, byte @Nullable [] value) {
        bus.publish(Topics.HEALTH, 0, Integer.toUnsignedString(number), value)
                .onSuccess(stored -> failing = false)
                .onFailure(failure -> failed(number, failure));
    }

    private void failed(int number, Throwable failure) {
        numberToSent.remove(number);
        if (failing) return;
        failing = true;
        LOG.atWarn().addKeyValue(LogKeys.REASON, failure.toString()).log("verdicts not stored, telling them again");
    }
}
