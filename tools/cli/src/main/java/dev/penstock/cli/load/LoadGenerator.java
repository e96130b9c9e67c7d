package dev.penstock.cli.load;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.PoolOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Sends a {@link LoadPlan} and counts what comes of it.
 *
 * <p>Open loop: a Poisson process sets the arrivals beforehand, and each latency runs from its scheduled time. A server
 * (or a generator) that stalls for a second therefore shows it in every request due in that second, where a closed loop
 * would have sent none and seen one slow answer (coordinated omission). Two lanes share one process of twice the rate
 * and take turns, so that both see the same weather.
 *
 * <p>Closed loop: each worker sends its next request when the last one ended, 10 ms after a failure.
 *
 * <p>Threads: one schedules, one event loop does all the rest and owns all counts.
 */
public final class LoadGenerator {
    private static final long FAILURE_PAUSE_MILLIS = 10;
    private static final int PROGRESS_MILLIS = 200;
    private static final int CONNECT_TIMEOUT_MILLIS = 2000;
    /** Below the 5 s after which engines close idle connections: a reused one is one that is still open. */
    private static final int KEEP_ALIVE_SECONDS = 3;

    private final Vertx vertx;
    private final LoadPlan plan;
    private final Context context;
    private final HttpClient client;
    private final List<Lane> lanes = new ArrayList<>();
    private final RequestBodies bodies;
    private final SplittableRandom arrivals;
    private final CompletableFuture<LoadReport> report = new CompletableFuture<>();
    /** Set once, before the scheduling thread starts. */
    private long startNanos;

    private int outstanding;
    private boolean scheduleEnded;
    private volatile LoadProgress progress = new LoadProgress(0, 0, 0, 0, 0);

    private LoadGenerator(Vertx vertx, LoadPlan plan) {
        this.vertx = vertx;
        this.plan = plan;
        this.context = vertx.getOrCreateContext();
        this.client = vertx.createHttpClient(
                new HttpClientOptions()
                        .setConnectTimeout(CONNECT_TIMEOUT_MILLIS)
                        .setKeepAliveTimeout(KEEP_ALIVE_SECONDS),
                new PoolOptions().setHttp1MaxSize(LoadPlan.MAX_OUTSTANDING));
        lanes.add(new Lane(plan.urls()));
        if (!plan.directUrls().isEmpty()) lanes.add(new Lane(plan.directUrls()));
        SplittableRandom random = new SplittableRandom(plan.seed());
        this.arrivals = random.split();
        this.bodies = new RequestBodies(plan, random.split());
    }

    public static LoadGenerator start(Vertx vertx, LoadPlan plan) {
        LoadGenerator generator = new LoadGenerator(vertx, plan);
        generator.context.runOnContext(ignored -> generator.begin());
        return generator;
    }

    /** Done when the schedule has ended and every request has its verdict. */
    public CompletableFuture<LoadReport> report() {
        return report;
    }

    public LoadProgress progress() {
        return progress;
    }

    private void begin() {
        startNanos = System.nanoTime();
        long ticks = vertx.setPeriodic(PROGRESS_MILLIS, id -> publishProgress());
        report.whenComplete((done, failure) -> vertx.cancelTimer(ticks));
        if (plan.isOpenLoop()) {
            Thread.ofPlatform().name("load-schedule").daemon().start(this::schedule);
            return;
        }
        vertx.setTimer(plan.duration().toMillis(), id -> endSchedule());
        for (int worker = 0; worker < plan.concurrency(); worker++) lanes.forEach(this::work);
    }

    private void schedule() {
        double meanGapNanos = 1e9 / (plan.rps() * lanes.size());
        long endNanos = startNanos + plan.duration().toNanos();
        double dueNanos = startNanos;
        for (int arrival = 0; ; arrival = (arrival + 1) % lanes.size()) {
            dueNanos += arrivals.nextExponential() * meanGapNanos;
            long due = (long) dueNanos;
            if (due - endNanos >= 0) break;
            parkUntil(due);
            Lane lane = lanes.get(arrival);
            context.runOnContext(ignored -> arrive(lane, due));
        }
        parkUntil(endNanos);
        context.runOnContext(ignored -> endSchedule());
    }

    private static void parkUntil(long nanos) {
        for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private void arrive(Lane lane, long scheduledNanos) {
        if (outstanding < plan.concurrency()) {
            send(lane, scheduledNanos, ok -> {});
            return;
        }
        lane.sent();
        lane.failed("overrun");
    }

    private void work(Lane lane) {
        if (scheduleEnded) return;
        send(lane, System.nanoTime(), ok -> {
            if (ok) context.runOnContext(ignored -> work(lane));
            else vertx.setTimer(FAILURE_PAUSE_MILLIS, id -> work(lane));
        });
    }

    private void send(Lane lane, long scheduledNanos, Consumer<Boolean> next) {
        outstanding++;
        lane.sent();
        Consumer<Boolean> onSettled = ok -> {
            outstanding--;
            next.accept(ok);
            finishIfDone();
        };
        new Exchange(vertx, client, lane, scheduledNanos, plan.stream(), bodies.next(), onSettled)
                .start(plan.timeout().toNanos());
    }

    private void endSchedule() {
        scheduleEnded = true;
        finishIfDone();
    }

    private void finishIfDone() {
        if (!scheduleEnded || outstanding > 0 || report.isDone()) return;
        publishProgress();
        client.close();
        long duration = plan.duration().toNanos();
        List<LaneReport> reports =
                lanes.stream().map(lane -> lane.report(startNanos, duration)).toList();
        report.complete(new LoadReport(reports.getFirst(), reports.size() > 1 ? reports.get(1) : null));
    }

    private void publishProgress() {
        long sent = 0;
        long ok = 0;
        long failed = 0;
        for (Lane lane : lanes) {
            sent += lane.sentCount();
            ok += lane.okCount();
            failed += lane.failedCount();
        }
        progress = new LoadProgress((System.nanoTime() - startNanos) / 1e9, sent, ok, failed, outstanding);
    }
}
