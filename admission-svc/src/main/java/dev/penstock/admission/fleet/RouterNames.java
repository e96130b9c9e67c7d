package dev.penstock.admission.fleet;

import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;

/** Routers by name: two incarnations of one router share its part. */
public final class RouterNames {
    private RouterNames() {}

    /** The names in member ids, {@code name/nonce}. */
    public static SortedSet<String> of(Collection<String> memberIds) {
        SortedSet<String> names = new TreeSet<>();
        for (String id : memberIds) {
            int slash = id.lastIndexOf('/');
            names.add(slash < 0 ? id : id.substring(0, slash));
        }
        return names;
    }
}
