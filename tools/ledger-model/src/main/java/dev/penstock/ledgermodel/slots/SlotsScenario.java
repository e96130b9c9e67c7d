package dev.penstock.ledgermodel.slots;

import static dev.penstock.ledgermodel.slots.Scene.SECOND;

import dev.penstock.ledgermodel.LedgerSim;
import dev.penstock.ledgermodel.LedgerSims;
import dev.penstock.report.Estimate;
import dev.penstock.report.Report;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Slots follow a demand that jumps from router to router, and serve nearly what one central counter would. */
public final class SlotsScenario implements LedgerSim {
    /** A request without a slot waits as long as a period: under every policy, at the central counter too. */
    private static final long PATIENCE_NANOS = SECOND / 10;

    private static final double LOAD = 0.95;
    private static final double HOT_SHARE = 0.7;
    private static final long FLIP_NANOS = 10 * SECOND;
    private static final long FULL_SECONDS = 310;
    private static final long SECONDS = 60;

    @Override
    public String name() {
        return "slots";
    }

    @Override
    public Report run(int seeds, boolean full, LedgerSims.Progress progress) {
        long endNanos = (full ? FULL_SECONDS : SECONDS) * SECOND;
        Columns columns = new Columns(seeds);
        for (Scene scene : List.of(scene(4, 100, 24, endNanos), scene(5, 300, 4, endNanos))) {
            for (int i = 0; i < seeds; i++) {
                progress.running("L = " + scene.limit(), i + 1, seeds);
                columns.add(scene, i);
            }
        }
        return columns.report(this, seeds, full);
    }

    private static Scene scene(int routers, int replicas, int limit, long endNanos) {
        return new Scene(routers, replicas, limit, LOAD, HOT_SHARE, FLIP_NANOS, FLIP_NANOS, endNanos);
    }

    private static final class Columns {
        final Column periodic;
        final Column ask;
        final Column split;
        final Column waited;
        final Column waitedAsk;
        final Column waitAskP50;
        final Column waitAskP99;
        final Column moved;
        final Column messages;
        final Column overshoot;

        Columns(int seeds) {
            periodic = Column.lowest(seeds);
            ask = Column.lowest(seeds);
            split = Column.lowest(seeds);
            waited = Column.highest(seeds);
            waitedAsk = Column.highest(seeds);
            waitAskP50 = Column.highest(seeds);
            waitAskP99 = Column.highest(seeds);
            moved = Column.highest(seeds);
            messages = Column.highest(seeds);
            overshoot = Column.highest(seeds);
        }

        void add(Scene scene, int seed) {
            List<Request> requests = scene.requests(seed + 1);
            double central = Central.serve(scene, requests, PATIENCE_NANOS).servedSlotSeconds();
            Tally periods = serve(scene, Policy.PERIODIC, requests, seed);
            periodic.add(seed, 100 * periods.servedSlotSeconds() / central);
            waited.add(seed, periods.waitedPct());
            Tally asked = serve(scene, Policy.ASK, requests, seed);
            ask.add(seed, 100 * asked.servedSlotSeconds() / central);
            waitedAsk.add(seed, asked.waitedPct());
            waitAskP50.add(seed, asked.waitMillis(0.5));
            waitAskP99.add(seed, asked.waitMillis(0.99));
            moved.add(seed, asked.movedPerSecond(scene.endNanos()));
            messages.add(seed, asked.messagesPerSecond(scene.endNanos()));
            Tally stayed = serve(scene, Policy.STAY, requests, seed);
            split.add(seed, 100 * stayed.servedSlotSeconds() / central);
        }

        private Tally serve(Scene scene, Policy policy, List<Request> requests, int seed) {
            SlotFleet fleet = new SlotFleet(scene, policy, PATIENCE_NANOS, 0, new SplittableRandom(seed + 1));
            Tally tally = fleet.serve(requests);
            overshoot.add(seed, fleet.overshoot());
            return tally;
        }

        Report report(SlotsScenario scenario, int seeds, boolean full) {
            Map<String, Estimate> figures = new LinkedHashMap<>();
            figures.put("utilisation_of_central_pct", periodic.estimate());
            figures.put("utilisation_with_ask_pct", ask.estimate());
            figures.put("waited_pct", waited.estimate());
            figures.put("waited_with_ask_pct", waitedAsk.estimate());
            figures.put("wait_with_ask_p50_ms", waitAskP50.estimate());
            figures.put("wait_with_ask_p99_ms", waitAskP99.estimate());
            figures.put("moved_slots_per_s", moved.estimate());
            figures.put("messages_per_s", messages.estimate());
            figures.put("overshoot", overshoot.estimate());
            double splitMean = split.estimate().mean();
            List<Report.Bar> bars = List.of(
                    Report.Bar.of(
                                    "utilisation_of_central_pct",
                                    ">=",
                                    99,
                                    periodic.estimate().mean())
                            .beside("static_split", splitMean, splitMean < 99),
                    Report.Bar.of(
                                    "utilisation_with_ask_pct",
                                    ">=",
                                    99.9,
                                    ask.estimate().mean())
                            .beside("static_split", splitMean, splitMean < 99.9),
                    Report.Bar.of("overshoot", "==", 0, overshoot.estimate().mean()));
            return new Report(
                    scenario.name(),
                    "100 replicas of 24 slots and 4 routers, 300 of 4 and 5; mean service 2 s, load 0.95, 70 % of it at"
                            + " one router, another each 10 s; messages take 1 ms",
                    seeds,
                    bars.stream().allMatch(Report.Bar::holds),
                    figures,
                    Map.of("static_split", Map.of("utilisation_of_central_pct", split.estimate())),
                    bars,
                    scenario.command(seeds, full));
        }
    }
}
