package dev.penstock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ChunkTest {
    private final Chunk chunk = new Chunk();
    private byte[] kept = {};

    @Test
    void a_slow_loop_is_given_its_samples() {
        int[] operations = {0};

        chunk.measure(
                count -> {
                    operations[0] += count;
                    Thread.onSpinWait();
                },
                0,
                25);

        assertThat(operations[0]).isEqualTo(25 * Chunk.BATCH);
        assertThat(chunk.operations()).isEqualTo(25 * Chunk.BATCH);
        assertThat(chunk.quantile(0.5)).isLessThanOrEqualTo(chunk.quantile(0.99));
        assertThat(chunk.quantile(0.99)).isLessThanOrEqualTo(chunk.quantile(1));
    }

    @Test
    void bytes_are_seen() {
        chunk.measure(count -> kept = new byte[1_000 * count], 0, 100);

        assertThat((double) chunk.allocatedBytes() / chunk.operations()).isBetween(1_000.0, 1_100.0);
        assertThat(kept).isNotEmpty();
    }
}
