package dev.penstock.ledgermodel;

import java.util.Arrays;

/** The states that were met, each with the one it was reached from and by which step. */
final class Seen {
    private long[] keys = new long[1 << 17];
    private int[] places = new int[1 << 16];
    private int[] parents = new int[1 << 15];
    private int[] steps = new int[1 << 15];
    private int size;

    int size() {
        return size;
    }

    /** Returns its number, or -1 when it was met before. */
    int add(long high, long low, int parent, int step) {
        if (size * 2 >= places.length) grow();
        int at = slot(keys, places.length, high, low);
        if (keys[2 * at] != 0 || keys[2 * at + 1] != 0) return -1;
        keys[2 * at] = high;
        keys[2 * at + 1] = low;
        places[at] = size;
        if (size == parents.length) {
            parents = Arrays.copyOf(parents, size * 2);
            steps = Arrays.copyOf(steps, size * 2);
        }
        parents[size] = parent;
        steps[size] = step;
        return size++;
    }

    private static int slot(long[] keys, int places, long high, long low) {
        int at = (int) low & places - 1;
        while (keys[2 * at] != 0 || keys[2 * at + 1] != 0) {
            if (keys[2 * at] == high && keys[2 * at + 1] == low) return at;
            at = at + 1 & places - 1;
        }
        return at;
    }

    private void grow() {
        long[] more = new long[keys.length * 2];
        int[] morePlaces = new int[places.length * 2];
        for (int i = 0; i < places.length; i++) {
            if (keys[2 * i] == 0 && keys[2 * i + 1] == 0) continue;
            int at = slot(more, morePlaces.length, keys[2 * i], keys[2 * i + 1]);
            more[2 * at] = keys[2 * i];
            more[2 * at + 1] = keys[2 * i + 1];
            morePlaces[at] = places[i];
        }
        keys = more;
        places = morePlaces;
    }

    /** The steps from the first state to this one. */
    int[] path(int number) {
        int length = 0;
        for (int at = number; parents[at] >= 0; at = parents[at]) length++;
        int[] path = new int[length];
        for (int at = number; parents[at] >= 0; at = parents[at]) path[--length] = steps[at];
        return path;
    }
}
