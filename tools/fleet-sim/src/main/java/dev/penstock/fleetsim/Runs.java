package dev.penstock.fleetsim;

import java.util.HashMap;
import java.util.Map;

/** The runs of one seed, each made once: figures compare one with another. */
final class Runs {
    private final long seed;
    private final Map<Key, Tally> tallies = new HashMap<>();

    private record Key(Scene scene, Policy policy) {}

    Runs(long seed) {
        this.seed = seed;
    }

    Tally of(Scene scene, Policy policy) {
        Tally known = tallies.get(new Key(scene, policy));
        if (known != null) return known;
        Tally tally = scene.workload() instanceof Workload.Sessions sessions
                ? new SessionFleet(scene, sessions, policy, seed).run()
                : new Fleet(scene, policy, seed).run();
        tallies.put(new Key(scene, policy), tally);
        return tally;
    }
}
