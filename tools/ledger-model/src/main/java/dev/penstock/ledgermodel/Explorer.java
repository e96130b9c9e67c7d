package dev.penstock.ledgermodel;

import dev.penstock.core.ledger.Rules;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Every state that the ledger can get into within some bounds, breadth first: what it finds, it finds by the fewest steps. */
final class Explorer {
    private final Bounds bounds;
    private final Rules rules;
    private final int[] setting;
    private final int mostStates;
    private final Seen seen = new Seen();

    /** A state to be visited: made again from the one before, which its siblings share. */
    private record Ahead(World before, int step, int number) {}

    /**
     * @param states that were met
     * @param whole whether that were all
     * @param violation null if there is none
     */
    record Found(int states, boolean whole, @Nullable String violation, int[] path) {}

    /** @param setting steps that are taken before anything is explored, as far as all rules allow them if all are in force */
    Explorer(Bounds bounds, Rules rules, int[] setting, int mostStates) {
        this.bounds = bounds;
        this.rules = rules;
        this.setting = setting;
        this.mostStates = mostStates;
    }

    Found explore() {
        World first = new World(bounds, rules);
        for (int step : setting) {
            if (first.can(step)) first.apply(step);
            else if (rules == Rules.ALL) break;
            else throw new IllegalArgumentException(Step.name(step) + " can't be taken here:\n" + first);
        }
        Fingerprint print = Fingerprint.of(first);
        Deque<Ahead> ahead = new ArrayDeque<>();
        int[] steps = new int[256];
        int[] count = {0};
        seen.add(print.high(), print.low(), -1, 0);
        World world = first;
        int number = 0;
        while (true) {
            World at = world;
            int from = number;
            count[0] = 0;
            at.steps(step -> steps[count[0]++] = step);
            for (int i = 0; i < count[0]; i++) {
                World next = at.copy();
                String wrong = applied(next, steps[i]);
                Fingerprint of = Fingerprint.of(next);
                int met = seen.add(of.high(), of.low(), from, steps[i]);
                if (wrong != null) return new Found(seen.size(), false, wrong, whole(seen.path(from), steps[i]));
                if (met < 0) continue;
                ahead.add(new Ahead(at, steps[i], met));
            }
            if (ahead.isEmpty()) return new Found(seen.size(), true, null, new int[0]);
            if (seen.size() >= mostStates) return new Found(seen.size(), false, null, new int[0]);
            Ahead next = ahead.remove();
            world = next.before().after(next.step());
            number = next.number();
        }
    }

    private int[] whole(int[] path, int last) {
        int[] whole = Arrays.copyOf(setting, setting.length + path.length + 1);
        System.arraycopy(path, 0, whole, setting.length, path.length);
        whole[whole.length - 1] = last;
        return whole;
    }

    /** A rule that finds itself broken has been. */
    private static @Nullable String applied(World world, int step) {
        try {
            world.apply(step);
        } catch (IllegalStateException | IllegalArgumentException e) {
            return e.getMessage();
        }
        return world.violation();
    }

    /** How a state is reached, step by step, with what stood there at the end. */
    static String told(Bounds bounds, Rules rules, int[] path) {
        World world = new World(bounds, rules);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < path.length; i++) {
            text.append(String.format("%3d  %s%n", i + 1, Step.name(path[i])));
            applied(world, path[i]);
        }
        return text.append(world).toString();
    }
}
