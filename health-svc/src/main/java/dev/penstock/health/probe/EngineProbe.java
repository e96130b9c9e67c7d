package dev.penstock.health.probe;

import dev.penstock.core.health.ProbeResult;
import dev.penstock.core.health.ReplicaHealth;
import dev.penstock.model.Replica;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * One deep probe: one token of the replica's first model. A way of asking that an engine does not know is followed by the
 * next, and the one that works is remembered. Lives on health-svc's context.
 */
public final class EngineProbe {
    private final BoundedPost http;
    private final LongSupplier nanoClock;
    private final Map<Integer, ProbeKind> numberToKind = new HashMap<>();

    public EngineProbe(Vertx vertx, LongSupplier nanoClock) {
        this.http = new BoundedPost(vertx);
        this.nanoClock = nanoClock;
    }

    /** Never fails. */
    public Future<ProbeResult> probe(ReplicaHealth health, Duration limit) {
        ProbeKind kind = numberToKind.getOrDefault(health.replica().number(), ProbeKind.COMPLETION);
        return ask(health, kind, ProbeKind.values().length - 1, limit, nanoClock.getAsLong());
    }

    /** Forgets the ways of replicas that are gone. */
    public void keep(Set<Integer> numbers) {
        numberToKind.keySet().retainAll(numbers);
    }

    public Future<Void> close() {
        return http.close();
    }

    private Future<ProbeResult> ask(
            ReplicaHealth health, ProbeKind kind, int waysLeft, Duration limit, long startNanos) {
        Replica replica = health.replica();
        String url = replica.endpoint() + kind.path();
        return http.post(url, kind.body(replica.models().getFirst()), limit).compose(answer -> {
            if (answer instanceof ProbeAnswer.Whole whole && AnswerRule.unknownWay(whole.status()) && waysLeft > 0) {
                return ask(health, kind.next(), waysLeft - 1, limit, startNanos);
            }
            ProbeResult result = judge(health, answer, startNanos);
            if (result.kind() == ProbeResult.Kind.PASSED) numberToKind.put(replica.number(), kind);
            return Future.succeededFuture(result);
        });
    }

    private ProbeResult judge(ReplicaHealth health, ProbeAnswer answer, long startNanos) {
        long latency = nanoClock.getAsLong() - startNanos;
        return switch (answer) {
            case ProbeAnswer.Whole whole -> {
                AnswerRule.Judged judged = AnswerRule.judge(whole.status(), whole.body());
                yield new ProbeResult(judged.kind(), judged.detail(), latency);
            }
            case ProbeAnswer.Late late -> late(health, late.connected(), startNanos, latency);
            case ProbeAnswer.Unreachable unreachable ->
                new ProbeResult(ProbeResult.Kind.UNREACHABLE, unreachable.reason(), latency);
            case ProbeAnswer.Broken broken -> new ProbeResult(ProbeResult.Kind.FAILED, broken.reason(), latency);
        };
    }

    private static ProbeResult late(ReplicaHealth health, boolean connected, long startNanos, long latency) {
        if (health.movedSince(startNanos)) return new ProbeResult(ProbeResult.Kind.BUSY, "late, but it works", latency);
        return connected
                ? new ProbeResult(ProbeResult.Kind.FAILED, "late, and nothing moves", latency)
                : new ProbeResult(ProbeResult.Kind.UNREACHABLE, "no connection in time", latency);
    }
}
