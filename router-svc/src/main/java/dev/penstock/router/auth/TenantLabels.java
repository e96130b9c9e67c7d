package dev.penstock.router.auth;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tenants as labels of metrics. Those in the file of API keys are as many as somebody wrote down; those that tokens name
 * are anybody's guess, so the first 100 have a label of their own and the others share one. Any thread.
 */
final class TenantLabels {
    static final String OTHER = "other";
    private static final int MOST_LEARNED = 100;

    private final Set<String> learned = ConcurrentHashMap.newKeySet();
    private final AtomicInteger taken = new AtomicInteger();
    private volatile Set<String> written = Set.of();

    /** Replaces those of the file. */
    void written(Set<String> tenants) {
        written = tenants;
    }

    /** Only for a tenant that a verified token names: a forged one must not use labels up. */
    String of(String tenant) {
        if (written.contains(tenant) || learned.contains(tenant)) return tenant;
        if (taken.get() >= MOST_LEARNED) return OTHER;
        if (taken.getAndIncrement() >= MOST_LEARNED) {
            taken.decrementAndGet();
            return OTHER;
        }
        if (!learned.add(tenant)) taken.decrementAndGet();
        return tenant;
    }
}
