package dev.penstock.advisor.keda;

import dev.penstock.advisor.keda.proto.ScaledObjectRef;
import dev.penstock.model.PoolId;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Which pool a trigger asks about, from its metadata: {@code pool} (a name, or namespace/name), {@code namespace} (that of the
 * ScaledObject where it has such a pool, else {@code local}) and {@code metricName}.
 *
 * @param namespace empty when the metadata names none
 */
record ScalerMetadata(String objectNamespace, String namespace, String pool, String metricName) {
    static final String DEFAULT_METRIC = "penstock-desired-replicas";
    /** KEDA puts the name into URL paths. */
    private static final Pattern METRIC = Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?");

    private static final String METRIC_EXPECTED = "lower-case letters, digits and dashes, like " + DEFAULT_METRIC;
    private static final Set<String> KEYS = Set.of("pool", "namespace", "metricName", "scalerAddress");

    /** Metadata that names no pool; the message has key, value and expectation. */
    static final class WrongMetadataException extends Exception {
        WrongMetadataException(String key, String value, String expected) {
            super("scalerMetadata." + key + ": \"" + value + "\", expected " + expected);
        }
    }

    static ScalerMetadata read(ScaledObjectRef ref) throws WrongMetadataException {
        Map<String, String> metadata = ref.getScalerMetadataMap();
        String pool = metadata.getOrDefault("pool", "").strip();
        String namespace = metadata.getOrDefault("namespace", "").strip();
        String metric = metadata.getOrDefault("metricName", DEFAULT_METRIC).strip();
        int slash = pool.indexOf('/');
        if (pool.isEmpty() || slash == 0 || slash == pool.length() - 1) {
            throw new WrongMetadataException("pool", pool, "the name of a pool, or namespace/name");
        }
        if (slash > 0) {
            String before = pool.substring(0, slash);
            if (!namespace.isEmpty() && !namespace.equals(before)) {
                throw new WrongMetadataException("namespace", namespace, before + ", as in pool \"" + pool + "\"");
            }
            namespace = before;
            pool = pool.substring(slash + 1);
        }
        if (!METRIC.matcher(metric).matches()) {
            throw new WrongMetadataException("metricName", metric, METRIC_EXPECTED);
        }
        return new ScalerMetadata(ref.getNamespace().strip(), namespace, pool, metric);
    }

    /** Keys that mean nothing here: a misspelt one is worth a warning, and never an error. */
    static Set<String> unknownKeys(ScaledObjectRef ref) {
        Set<String> keys = new TreeSet<>(ref.getScalerMetadataMap().keySet());
        keys.removeAll(KEYS);
        return keys;
    }

    PoolId poolId(Predicate<PoolId> known) {
        if (!namespace.isEmpty()) return new PoolId(namespace, pool);
        if (!objectNamespace.isEmpty()) {
            PoolId beside = new PoolId(objectNamespace, pool);
            if (known.test(beside)) return beside;
        }
        return new PoolId(PoolId.LOCAL, pool);
    }
}
