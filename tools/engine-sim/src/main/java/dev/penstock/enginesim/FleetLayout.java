package dev.penstock.enginesim;

import dev.penstock.enginesim.step.Profile;
import java.util.List;

/**
 * How the engines of a fleet differ, and what each is made of.
 *
 * @param profiles of the engines in order of their numbers; the last one holds for all that follow
 * @param ranks schedulers of each engine: {@code --data-parallel-size}
 */
public record FleetLayout(List<Profile> profiles, int ranks) {
    private static final int MOST_RANKS = 64;

    public FleetLayout {
        profiles = List.copyOf(profiles);
        if (profiles.isEmpty()) {
            throw new IllegalArgumentException("profiles: expected at least one, got none");
        }
        if (ranks < 1 || ranks > MOST_RANKS) {
            throw new IllegalArgumentException("ranks: expected 1 to " + MOST_RANKS + ", got " + ranks);
        }
    }

    /** All alike, one scheduler each. */
    public static FleetLayout of(Profile profile) {
        return new FleetLayout(List.of(profile), 1);
    }

    public FleetLayout withRanks(int other) {
        return new FleetLayout(profiles, other);
    }

    public Profile profileOf(int number) {
        return profiles.get(Math.min(number, profiles.size() - 1));
    }
}
