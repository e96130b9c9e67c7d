package dev.penstock.enginesim.metrics;

import java.util.function.DoubleSupplier;

/** What the engine's scheduler shows at this moment; read at rendering. */
public record Gauges(DoubleSupplier running, DoubleSupplier waiting, DoubleSupplier kvUsage) {}
