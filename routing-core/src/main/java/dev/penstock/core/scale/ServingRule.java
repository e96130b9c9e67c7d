package dev.penstock.core.scale;

import dev.penstock.model.PoolTarget;
import org.jspecify.annotations.Nullable;

/**
 * What an instance may say of a published recommendation. A number below the present count comes from a record at most 3 s
 * old; an older one, or one whose inputs are older, neither lowers nor raises: the present count is held. After 30 s nothing
 * is said, so that whoever asked falls back knowingly.
 */
public final class ServingRule {
    private ServingRule() {}

    /** What to say. */
    public sealed interface Answer {}

    /**
     * A number.
     *
     * @param holdReason empty = a recommendation; otherwise why the number only holds
     * @param stale held because of age
     */
    public record Number(
            PoolTarget target, int desired, boolean active, long ageNanos, boolean stale, String holdReason)
            implements Answer {
        public boolean hold() {
            return !holdReason.isEmpty();
        }
    }

    public record Unavailable(String reason) implements Answer {}

    /**
     * Answers.
     *
     * @param ageNanos of the record
     * @param present replicas in the roster
     */
    public static Answer answer(@Nullable PoolTarget target, long ageNanos, int present, AdviceTimes times) {
        if (target == null) return new Unavailable("no recommendation has been read yet");
        long silence = times.silence().toNanos();
        long inputsAgeNanos = target.inputsAgeMicros() * 1_000;
        boolean blind = inputsAgeNanos > silence;
        long oldest = blind ? ageNanos + inputsAgeNanos : ageNanos;
        if (oldest > times.unavailableAfter().toNanos()) {
            return new Unavailable(
                    blind
                            ? "no router told its demand for " + seconds(oldest) + " s"
                            : "the last recommendation is " + seconds(oldest) + " s old");
        }
        boolean active = target.active() || present > 0;
        if (ageNanos > silence) {
            String reason = "the last recommendation is " + seconds(ageNanos) + " s old";
            return new Number(target, present, active, ageNanos, true, reason);
        }
        if (blind) {
            String reason = target.holdReason().isEmpty() ? "inputs are old" : target.holdReason();
            return new Number(target, present, active, ageNanos, true, reason);
        }
        return new Number(target, target.desired(), target.active(), ageNanos, false, target.holdReason());
    }

    private static long seconds(long nanos) {
        return nanos / 1_000_000_000;
    }
}
