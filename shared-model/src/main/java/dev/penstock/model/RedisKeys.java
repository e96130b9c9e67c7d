package dev.penstock.model;

/** Every Redis key: the one place where they are written. */
public final class RedisKeys {
    private RedisKeys() {}

    /** Sorted set of heartbeats of a service's instances, scored by Redis time in milliseconds. */
    public static String members(String service) {
        return "penstock:members:" + service;
    }

    /** The last full telemetry frame of a shard, kept for 3 s. */
    public static String view(int shard) {
        return "penstock:view:" + shard;
    }
}
