package dev.penstock.core.health;

import dev.penstock.core.quarantine.FailureOdds;
import dev.penstock.model.Freshness;
import dev.penstock.model.Header;
import dev.penstock.model.HealthRecord;
import dev.penstock.model.Outcomes.ReplicaOutcomes;
import dev.penstock.model.Replica;
import dev.penstock.model.Verdict;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The verdict on one incarnation of a replica, and the evidence behind it.
 *
 * <pre>
 *   soft:  pooled sum >= 14, and a second observer: the sum without the largest router >= 1.9 failure steps, or, with one
 *          live router, a failed probe; only while the pool has room
 *   hard:  two failed probes in a row, no success or byte at any router for 2 s, and a router that quarantines it or whose
 *          own connect fails; for an idle replica: two probes that nobody answered, and telemetry that is not FRESH
 *   back:  stay over and enough probes in a row -> HALF_OPEN, 3 requests -> RAMP -> HEALTHY
 * </pre>
 *
 * One writer: evidence comes in at any time, {@link #judge} changes the verdict.
 */
public final class ReplicaHealth {
    private final Replica replica;
    private final HealthRules rules;
    private final RandomGenerator random;
    private final Consumer<Transition> listener;
    private final Evidence evidence = new Evidence();
    private final ProbeRecord probes = new ProbeRecord();
    private final ProbePace pace;
    private HealthState state = new HealthState.Unknown();
    private int ejections;
    private long halvedNanos;

    ReplicaHealth(
            Replica replica, HealthRules rules, RandomGenerator random, Consumer<Transition> listener, long nowNanos) {
        this.replica = replica;
        this.rules = rules;
        this.random = random;
        this.listener = listener;
        this.pace = new ProbePace(random, nowNanos);
    }

    public Replica replica() {
        return replica;
    }

    public Verdict verdict(long nowNanos) {
        return state.verdict(ejections, nowNanos);
    }

    /** Ejections in a row so far, which fade while HEALTHY. */
    public int ejections() {
        return ejections;
    }

    public HealthRecord record(Header header, long validMicros, long nowNanos) {
        long passAge = probes.everPassed() ? (nowNanos - probes.passedNanos()) / 1000 : HealthRecord.NO_PASS;
        return new HealthRecord(
                header, replica.number(), replica.uid(), verdict(nowNanos), validMicros, passAge, probes.passesInRow());
    }

    public @Nullable ProbeResult lastProbe() {
        return probes.last();
    }

    public long lastProbeNanos() {
        return probes.lastNanos();
    }

    public int passesInRow() {
        return probes.passesInRow();
    }

    public double pooledSum(long nowNanos) {
        return evidence.pooledSum(nowNanos);
    }

    public List<String> quarantinedBy(long nowNanos) {
        return evidence.quarantinedBy(nowNanos);
    }

    public Freshness freshness(long nowNanos) {
        return evidence.telemetry().freshness(nowNanos);
    }

    /** An answer, a byte, or a step of the engine since then: a late probe says that it is busy. */
    public boolean movedSince(long nanos) {
        return evidence.movedSince(nanos);
    }

    public boolean probeDue(long nowNanos) {
        if (evidence.telemetry().sleeping()) return false;
        return pace.due(!calm(nowNanos), evidence, nowNanos);
    }

    /** Probed seldom: nothing is wrong with it as far as anybody knows. */
    public boolean calm(long nowNanos) {
        return switch (state) {
            case HealthState.Healthy h -> true;
            case HealthState.Unknown u -> !evidence.quarantined(nowNanos);
            case HealthState.Ramp r -> !evidence.quarantined(nowNanos) && probes.failuresInRow() == 0;
            case HealthState.Suspect s -> false;
            case HealthState.Ejected e -> false;
            case HealthState.HalfOpen h -> false;
        };
    }

    public void probeStarted(long nowNanos) {
        pace.started(nowNanos);
    }

    void probeEnded(long nowNanos) {
        pace.ended(probes.failuresInRow(), state, nowNanos);
    }

    Evidence evidence() {
        return evidence;
    }

    boolean routable(long nowNanos) {
        return verdict(nowNanos).routable();
    }

    /** What a former owner had published; its cause and severity are kept, its evidence is not. */
    void restore(HealthRecord last, long nowNanos) {
        if (last.probePassAgeMicros() != HealthRecord.NO_PASS) {
            probes.restore(last.probePassesInRow(), nowNanos - last.probePassAgeMicros() * 1000);
        }
        switch (last.verdict()) {
            case Verdict.Unknown v -> state = new HealthState.Unknown();
            case Verdict.Healthy v -> {
                if (!(state instanceof HealthState.Healthy)) state = healthy(nowNanos);
            }
            case Verdict.Suspect v -> state = new HealthState.Suspect(v.cause(), nowNanos);
            case Verdict.Ejected v -> {
                HealthState.Ejected told = ejected(v.severity(), v.cause(), nowNanos + v.remainingMicros() * 1000);
                boolean sameOne = ejections == v.ejections() && v.severity() == Verdict.Severity.SOFT;
                state = sameOne && state instanceof HealthState.Ejected known
                        ? told.needing(known.passesNeeded())
                        : told;
                ejections = v.ejections();
            }
            case Verdict.HalfOpen v -> {
                ejections = v.ejections();
                if (!(state instanceof HealthState.HalfOpen)) evidence.forget();
                state = new HealthState.HalfOpen(
                        v.cause(), v.permittedRouter(), nowNanos, holders(v), v.successes(), nowNanos);
            }
            case Verdict.Ramp v -> {
                if (!(state instanceof HealthState.Ramp)) evidence.forget();
                state = new HealthState.Ramp(nowNanos - v.elapsedMicros() * 1000, v.lengthMicros() * 1000);
            }
        }
    }

    private static Set<String> holders(Verdict.HalfOpen told) {
        return told.permittedRouter().isEmpty() ? Set.of() : Set.of(told.permittedRouter());
    }

    /** While somebody else judges, evidence is kept and nothing follows from it. */
    void observe(String router, long incarnation, ReplicaOutcomes seen, FailureOdds odds, long nowNanos) {
        evidence.add(router, incarnation, seen, odds, nowNanos);
    }

    /** The same for the owner: a request of half-open decides at once. */
    void outcomes(String router, long incarnation, ReplicaOutcomes seen, PoolView pool, long nowNanos) {
        RouterEvidence told = evidence.add(router, incarnation, seen, pool.odds(), nowNanos);
        if (state instanceof HealthState.HalfOpen halfOpen && halfOpen.holders().contains(router)) {
            int failures = RouterEvidence.failureCount(seen);
            int ok = RouterEvidence.okCount(seen) + (told.takeFlow(nowNanos) ? 1 : 0);
            if (failures > 0) {
                eject(Verdict.Severity.SOFT, "failed in half-open", pool, nowNanos);
            } else if (ok > 0 || seen.flowing()) {
                state = halfOpen.heard(nowNanos).succeeded(ok);
            }
        }
        judge(pool, nowNanos);
    }

    void probed(ProbeResult result, PoolView pool, long nowNanos) {
        probes.add(result, nowNanos);
        switch (state) {
            case HealthState.Ejected ejected -> {
                HealthState.Ejected next = ejected.probed(probes, result);
                if (next.severity() != ejected.severity()) become(next, "probe: " + result.detail(), nowNanos);
                else state = next;
            }
            case HealthState.HalfOpen halfOpen -> {
                boolean idle = nowNanos - halfOpen.newsNanos() >= HealthRules.IDLE_NANOS;
                if (idle && result.kind() == ProbeResult.Kind.PASSED) state = halfOpen.succeeded(1);
            }
            case HealthState.Unknown u -> {}
            case HealthState.Healthy h -> {}
            case HealthState.Suspect s -> {}
            case HealthState.Ramp r -> {}
        }
        judge(pool, nowNanos);
    }

    /** Draws conclusions; to be called when evidence came, and several times a second. */
    void judge(PoolView pool, long nowNanos) {
        switch (state) {
            case HealthState.Unknown unknown -> {
                if (ejectedBy(HealthRules.EJECT_SUM, false, pool, nowNanos)) return;
                String good = firstGood(nowNanos);
                if (good != null) become(healthy(nowNanos), good, nowNanos);
            }
            case HealthState.Healthy healthy -> {
                if (ejectedBy(HealthRules.EJECT_SUM, true, pool, nowNanos)) return;
                fade(nowNanos);
                String cause = suspicion(nowNanos);
                if (cause != null) suspect(cause, nowNanos);
            }
            case HealthState.Suspect suspect -> {
                if (ejectedBy(HealthRules.EJECT_SUM, true, pool, nowNanos)) return;
                if (suspicion(nowNanos) == null && goodSince(suspect.sinceNanos())) {
                    become(healthy(nowNanos), "works again", nowNanos);
                }
            }
            case HealthState.Ejected ejected -> wayBack(ejected, pool, nowNanos);
            case HealthState.HalfOpen halfOpen -> halfOpen(halfOpen, pool, nowNanos);
            case HealthState.Ramp ramp -> {
                if (ejectedBy(HealthRules.SUSPECT_SUM, true, pool, nowNanos)) return;
                if (nowNanos - ramp.sinceNanos() >= ramp.lengthNanos()) {
                    become(healthy(nowNanos), "ramp over", nowNanos);
                }
            }
        }
    }

    private @Nullable String firstGood(long nowNanos) {
        if (evidence.telemetry().freshness(nowNanos) == Freshness.FRESH) return "first fresh sample";
        if (probes.passesInRow() > 0) return "first probe passed";
        return evidence.okSince(nowNanos - HealthRules.RECENT_NANOS) ? "first request ended well" : null;
    }

    private boolean goodSince(long nanos) {
        return evidence.okSince(nanos) || (probes.everPassed() && probes.passedNanos() - nanos >= 0);
    }

    private @Nullable String suspicion(long nowNanos) {
        ProbeResult last = probes.last();
        if (probes.failuresInRow() > 0 && last != null) return "probe failed: " + last.detail();
        if (evidence.quarantined(nowNanos)) {
            return "quarantined by " + String.join(", ", evidence.quarantinedBy(nowNanos));
        }
        return evidence.pooledSum(nowNanos) >= HealthRules.SUSPECT_SUM ? "requests failed" : null;
    }

    private void suspect(String cause, long nowNanos) {
        pace.hurry(nowNanos);
        become(new HealthState.Suspect(cause, nowNanos), cause, nowNanos);
    }

    /** @param wasThere false while nothing was ever seen of it: an engine that starts refuses connections */
    private boolean ejectedBy(double sumLimit, boolean wasThere, PoolView pool, long nowNanos) {
        String hard = hardCause(wasThere, pool, nowNanos);
        if (hard != null) {
            eject(Verdict.Severity.HARD, hard, pool, nowNanos);
            return true;
        }
        if (evidence.pooledSum(nowNanos) < sumLimit || !secondObserver(pool, sumLimit, nowNanos)) return false;
        if (!pool.softRoom()) return false;
        eject(Verdict.Severity.SOFT, "requests failed at several observers", pool, nowNanos);
        return true;
    }

    private @Nullable String hardCause(boolean wasThere, PoolView pool, long nowNanos) {
        ProbeResult last = probes.last();
        if (last == null || probes.failuresInRow() < HealthRules.HARD_FAILURES) return null;
        if (evidence.workedSince(nowNanos - HealthRules.RECENT_NANOS)) return null;
        if (evidence.quarantined(nowNanos) || evidence.connectFailed(nowNanos)) {
            return "probes failed: " + last.detail();
        }
        boolean gone = probes.unreachableInRow() >= HealthRules.HARD_FAILURES
                && pool.telemetryFlows()
                && evidence.telemetry().freshness(nowNanos) != Freshness.FRESH;
        return wasThere && gone ? "nobody there: " + last.detail() : null;
    }

    /** In a ramp two failures are enough, whoever saw them. */
    private boolean secondObserver(PoolView pool, double sumLimit, long nowNanos) {
        if (sumLimit < HealthRules.EJECT_SUM) return true;
        if (pool.routers().size() <= 1) return probes.failuresInRow() > 0;
        double needed = HealthRules.SECOND_OBSERVER_STEPS * pool.odds().failureStep();
        return evidence.sumOfOthers(nowNanos) >= needed;
    }

    private void eject(Verdict.Severity severity, String cause, PoolView pool, long nowNanos) {
        if (ejections == 0 || !pool.panic()) ejections++;
        pace.hurry(nowNanos);
        become(ejected(severity, cause, nowNanos + rules.stayNanos(ejections, random)), cause, nowNanos);
    }

    private static HealthState.Ejected ejected(Verdict.Severity severity, String cause, long untilNanos) {
        int needed = severity == Verdict.Severity.HARD ? HealthRules.HARD_PASSES : HealthRules.SOFT_PASSES;
        return new HealthState.Ejected(severity, cause, untilNanos, false, needed);
    }

    private void wayBack(HealthState.Ejected ejected, PoolView pool, long nowNanos) {
        if (nowNanos - ejected.untilNanos() < 0 || probes.passesInRow() < ejected.passesNeeded()) return;
        evidence.forget();
        String first = pool.routers().isEmpty()
                ? ""
                : pool.routers().get(random.nextInt(pool.routers().size()));
        Set<String> holders = first.isEmpty() ? Set.of() : Set.of(first);
        become(
                new HealthState.HalfOpen(ejected.cause(), first, nowNanos, holders, 0, nowNanos),
                probes.passesInRow() + " probes passed in a row",
                nowNanos);
    }

    private void halfOpen(HealthState.HalfOpen halfOpen, PoolView pool, long nowNanos) {
        if (probes.failuresInRow() >= HealthRules.HARD_FAILURES) {
            eject(Verdict.Severity.HARD, "probes failed in half-open", pool, nowNanos);
        } else if (halfOpen.successes() >= HealthRules.HALF_OPEN_SUCCESSES) {
            evidence.forget();
            become(
                    new HealthState.Ramp(nowNanos, rules.rampNanos()),
                    halfOpen.successes() + " successes in half-open",
                    nowNanos);
        } else if (nowNanos - halfOpen.permittedNanos() >= HealthRules.PERMIT_NANOS) {
            passOn(halfOpen, pool.routers(), nowNanos);
        }
    }

    /** The holder has nothing to send, or is gone. */
    private void passOn(HealthState.HalfOpen halfOpen, List<String> routers, long nowNanos) {
        if (routers.isEmpty()) return;
        int at = Collections.binarySearch(routers, halfOpen.permittedRouter());
        String next = routers.get((at >= 0 ? at + 1 : -at - 1) % routers.size());
        Set<String> holders = new TreeSet<>(halfOpen.holders());
        holders.add(next);
        state = new HealthState.HalfOpen(
                halfOpen.cause(), next, nowNanos, Set.copyOf(holders), halfOpen.successes(), halfOpen.newsNanos());
    }

    private HealthState healthy(long nowNanos) {
        halvedNanos = nowNanos;
        return new HealthState.Healthy(nowNanos);
    }

    private void fade(long nowNanos) {
        while (ejections > 0 && nowNanos - halvedNanos >= HealthRules.HALVED_PER_NANOS) {
            ejections /= 2;
            halvedNanos += HealthRules.HALVED_PER_NANOS;
        }
    }

    private void become(HealthState next, String reason, long nowNanos) {
        Verdict before = verdict(nowNanos);
        state = next;
        listener.accept(new Transition(replica, before, verdict(nowNanos), reason));
    }
}
