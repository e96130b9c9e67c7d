package dev.penstock.enginesim.metrics;

import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;

/**
 * What the engine's scheduler shows at this moment; read at rendering.
 *
 * @param sleepLevel 0 = awake, 1 = weights offloaded, 2 = all discarded
 */
public record Gauges(DoubleSupplier running, DoubleSupplier waiting, DoubleSupplier kvUsage, IntSupplier sleepLevel) {
    /** Of an engine that never sleeps. */
    public Gauges(DoubleSupplier running, DoubleSupplier waiting, DoubleSupplier kvUsage) {
        this(running, waiting, kvUsage, () -> 0);
    }
}
