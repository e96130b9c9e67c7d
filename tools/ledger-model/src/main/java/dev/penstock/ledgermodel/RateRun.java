package dev.penstock.ledgermodel;

import java.util.Arrays;
import java.util.SplittableRandom;

/** One course under one policy, in small steps: requests come at random, wait in order, and pass as the policy lets them. */
final class RateRun {
    private RateRun() {}

    static RateJudge of(RateCourse course, RatePolicy policy, SplittableRandom random) {
        RateJudge judge = new RateJudge(course);
        long step = course.stepNanos();
        RateQueue[] queues = new RateQueue[course.routers()];
        Arrays.setAll(queues, router -> new RateQueue());
        for (long now = step; now <= course.endNanos(); now += step) {
            judge.step(now - step, now);
            for (int router = 0; router < queues.length; router++) {
                // at most 0.11 requests come in a step: that two may is left out
                if (random.nextDouble() < course.demand(router, now) * step / 1e9) queues[router].arrive();
            }
            policy.step(now, queues);
            for (int router = 0; router < queues.length; router++) {
                while (queues[router].waiting > 0 && policy.admits(router, now)) {
                    queues[router].waiting--;
                    judge.admitted(now);
                }
            }
        }
        return judge;
    }
}
