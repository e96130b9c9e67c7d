package dev.penstock.core.view;

import dev.penstock.core.ramp.SlowStart;
import dev.penstock.model.HealthRecord;
import dev.penstock.model.Verdict;

/**
 * What health-svc said last of a replica, in this process's time. Immutable.
 *
 * @param validUntilNanos after that it is forgotten: verdicts expire with their writer
 * @param receivedNanos what its remaining and elapsed times count from
 * @param probePassed false: no deep probe of this incarnation has passed
 * @param permitKey names the half-open permit this router has, 0 for none
 */
public record HeldVerdict(
        Verdict verdict,
        long validUntilNanos,
        long receivedNanos,
        boolean probePassed,
        long probePassNanos,
        int probePassesInRow,
        long permitKey) {
    static final HeldVerdict NONE = new HeldVerdict(Verdict.UNKNOWN, 0, 0, false, 0, 0, 0);

    static HeldVerdict of(HealthRecord record, String router, long receiveNanos) {
        return new HeldVerdict(
                record.verdict(),
                receiveNanos + record.validMicros() * 1000,
                receiveNanos,
                record.probePassAgeMicros() != HealthRecord.NO_PASS,
                receiveNanos - record.probePassAgeMicros() * 1000,
                record.probePassesInRow(),
                permitKey(record.verdict(), router));
    }

    private static long permitKey(Verdict verdict, String router) {
        return verdict instanceof Verdict.HalfOpen half
                        && half.permittedRouter().equals(router)
                ? 1 + half.ejections() * 1_000L + half.successes()
                : 0;
    }

    /** The verdict while it is valid. */
    public Verdict at(long nowNanos) {
        return validUntilNanos - nowNanos > 0 ? verdict : Verdict.UNKNOWN;
    }

    /** 1 outside of a ramp; within one the share of ordinary load the replica should have, at least a tenth. */
    double share(long nowNanos) {
        if (!(at(nowNanos) instanceof Verdict.Ramp ramp) || ramp.lengthMicros() <= 0) return 1;
        double elapsed = ramp.elapsedMicros() + (nowNanos - receivedNanos) / 1e3;
        return Math.clamp(elapsed / ramp.lengthMicros(), SlowStart.LEAST_SHARE, 1);
    }
}
