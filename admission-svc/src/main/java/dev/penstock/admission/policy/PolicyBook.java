package dev.penstock.admission.policy;

import dev.penstock.core.feed.EpochGate;
import dev.penstock.model.PolicyRecord;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The policies as they were read back from their topic: all that anybody is told of them. Written on the service's context;
 * {@link #view()} may be read by any thread.
 */
public final class PolicyBook {
    private final EpochGate gate = new EpochGate();
    private final SortedMap<String, Heard> modelToHeard = new TreeMap<>();
    private long highestVersion;
    private volatile SortedMap<String, Heard> view = Collections.emptySortedMap();

    /** A record, and when it was read. */
    public record Heard(PolicyRecord record, long nanos) {
        /** Null when the model has no limit. */
        public @Nullable Long limitMilliRps() {
            Long perReplica = record.milliRpsPerReplica();
            return perReplica == null ? null : perReplica * record.routableReplicas();
        }
    }

    /** False when it came from an owner that has been displaced. */
    public boolean heard(PolicyRecord record, long nowNanos) {
        // a version that was given out stays given out, whoever gave it
        highestVersion = Math.max(highestVersion, record.version());
        if (!gate.admit(record.header().epoch(), nowNanos)) return false;
        modelToHeard.put(record.model(), new Heard(record, nowNanos));
        show();
        return true;
    }

    public void forgotten(String model) {
        modelToHeard.remove(model);
        show();
    }

    public long highestVersion() {
        return highestVersion;
    }

    /** By model, with those that are gone and not yet forgotten. */
    public SortedMap<String, Heard> view() {
        return view;
    }

    private void show() {
        view = Collections.unmodifiableSortedMap(new TreeMap<>(modelToHeard));
    }
}
