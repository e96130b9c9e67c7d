package dev.penstock.model;

/** Telemetry travels in 16 shards; a replica's shard is its number mod 16, its position in the shard number / 16. */
public final class Shards {
    public static final int COUNT = 16;

    private Shards() {}

    public static int of(int number) {
        return Integer.remainderUnsigned(number, COUNT);
    }

    public static int position(int number) {
        return Integer.divideUnsigned(number, COUNT);
    }

    public static int number(int shard, int position) {
        return position * COUNT + shard;
    }
}
