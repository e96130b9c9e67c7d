package dev.penstock.ledgermodel;

import dev.penstock.report.Estimate;
import dev.penstock.report.Report;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Conserved shares of a rate: the limit is used whole under a skew that flips, and no window ever sees more than it allows. */
final class RatesScenario implements LedgerSim {
    private static final long LARGE = 200_000;
    private static final List<RateCourse> COURSES =
            List.of(RateCourse.of(3, 200), RateCourse.of(4, 5_000), RateCourse.of(5, 25_000), RateCourse.of(5, LARGE));

    /** Every limit at every number of routers. */
    private static final List<RateCourse> ALL = Stream.of(200L, 5_000L, 25_000L, LARGE)
            .flatMap(milliRps -> Stream.of(3, 4, 5).map(routers -> RateCourse.of(routers, milliRps)))
            .toList();

    @Override
    public String name() {
        return "rates";
    }

    private record Outcome(double[] windowErrorPct, double[] largePct, double[] aboveBurst, double[] cutOffPct) {
        Outcome(int seeds) {
            this(new double[seeds], new double[seeds], new double[seeds], new double[seeds]);
        }

        /** The worst of all courses. */
        void add(int seed, RateCourse course, RateJudge judge) {
            if (course.milliRps() == LARGE) largePct[seed] = Math.max(largePct[seed], judge.windowErrorPct());
            windowErrorPct[seed] = Math.max(windowErrorPct[seed], judge.windowErrorPct());
            aboveBurst[seed] = Math.max(aboveBurst[seed], judge.aboveBurst());
            cutOffPct[seed] = cutOffPct[seed] == 0 ? judge.cutOffPct() : Math.min(cutOffPct[seed], judge.cutOffPct());
        }

        Map<String, Estimate> figures() {
            Map<String, Estimate> figures = new LinkedHashMap<>();
            figures.put("window_error_pct", Estimate.of(windowErrorPct));
            figures.put("window_error_pct_at_200_rps", Estimate.of(largePct));
            figures.put("above_burst", Estimate.of(aboveBurst));
            figures.put("admitted_while_cut_off_pct", Estimate.of(cutOffPct));
            return figures;
        }
    }

    @Override
    public Report run(int seeds, boolean full, LedgerSims.Progress progress) {
        Outcome own = new Outcome(seeds);
        Outcome fixed = new Outcome(seeds);
        for (int i = 0; i < seeds; i++) {
            progress.running("penstock", i + 1, seeds);
            for (RateCourse course : full ? ALL : COURSES) {
                SplittableRandom random = new SplittableRandom(i + 1);
                own.add(i, course, RateRun.of(course, new ConservedShares(course, random.split()), random));
                fixed.add(i, course, RateRun.of(course, new FixedWindows(course), new SplittableRandom(i + 1)));
            }
        }
        return report(full, seeds, own, fixed);
    }

    private Report report(boolean full, int seeds, Outcome own, Outcome fixed) {
        List<Report.Bar> bars = List.of(
                bar("window_error_pct", "<=", 2, own.windowErrorPct(), fixed.windowErrorPct()),
                bar("above_burst", "==", 0, own.aboveBurst(), fixed.aboveBurst()));
        return new Report(
                name(),
                "limits of 0.2, 5, 25 and 200 rps at 3 to 5 routers, demand twice that with 70 % at a router that"
                    + " changes each 7 s; a lull, ejections, panic, another limit, a router cut off; the worst of all",
                seeds,
                bars.stream().allMatch(Report.Bar::holds),
                own.figures(),
                Map.of("fixed_windows", fixed.figures()),
                bars,
                command(seeds, full));
    }

    private static Report.Bar bar(String figure, String op, double limit, double[] own, double[] fixed) {
        double other = Estimate.of(fixed).mean();
        return Report.Bar.of(figure, op, limit, Estimate.of(own).mean()).beside("fixed_windows", other, other > limit);
    }
}
