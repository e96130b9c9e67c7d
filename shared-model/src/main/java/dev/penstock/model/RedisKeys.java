package dev.penstock.model;

/** Every Redis key: the one place where they are written. */
public final class RedisKeys {
    /** Channel on which each pin that was set or renewed is told to all routers. */
    public static final String PINS_CHANNEL = "penstock:pins";

    /** The key that job ids are authenticated with, where no file has it. */
    public static final String JOB_KEY = "penstock:jobkey";

    private static final String PIN = "penstock:pin:";

    private RedisKeys() {}

    /** Sorted set of heartbeats of a service's instances, scored by Redis time in milliseconds. */
    public static String members(String service) {
        return "penstock:members:" + service;
    }

    /** The last full telemetry frame of a shard, kept for 3 s. */
    public static String view(int shard) {
        return "penstock:view:" + shard;
    }

    /**
     * A session's pin.
     *
     * @param sessionHash in hexadecimal, the last part of the key: what clients call their sessions is never written to Redis
     */
    public static String pin(String model, String sessionHash) {
        return PIN + model + ':' + sessionHash;
    }

    /** Sorted set of a tenant's jobs by when they were made, on Redis' clock in microseconds. */
    public static String jobs(String tenant) {
        return "penstock:jobs:" + tenant;
    }

    /** Hash of what is known of each of a tenant's jobs. */
    public static String jobData(String tenant) {
        return "penstock:jobdata:" + tenant;
    }

    /** A pattern that all pins match. */
    public static String allPins() {
        return PIN + '*';
    }

    /** Channel on which a subscriber hears itself, to know that it is heard. */
    public static String beat(String subscriber) {
        return PINS_CHANNEL + ":beat:" + subscriber;
    }
}
