package dev.penstock.model;

/** Replicas that serve one model (and its adapters) and scale together. */
public record PoolId(String namespace, String name) implements Comparable<PoolId> {
    /** Namespace of pools that no cluster names. */
    public static final String LOCAL = "local";

    public PoolId {
        if (namespace.isBlank() || name.isBlank()) {
            throw new IllegalArgumentException(
                    "pool: namespace '" + namespace + "' and name '" + name + "' must not be blank");
        }
    }

    /** The local pool of a model: its name after the last slash ({@code sim/llama-3-8b -> local/llama-3-8b}). */
    public static PoolId localFor(String model) {
        return new PoolId(LOCAL, model.substring(model.lastIndexOf('/') + 1));
    }

    @Override
    public int compareTo(PoolId other) {
        int byNamespace = namespace.compareTo(other.namespace);
        return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return namespace + "/" + name;
    }
}
