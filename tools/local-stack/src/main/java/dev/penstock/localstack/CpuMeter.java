package dev.penstock.localstack;

import java.time.Duration;

/** How much of a core a process used since it was last asked, at least one second ago. */
final class CpuMeter {
    private static final long LEAST_NANOS = 1_000_000_000L;

    private long pid = -1;
    private long cpuNanos;
    private long atNanos;
    private double cores;

    synchronized double cores(Process process) {
        long now = System.nanoTime();
        long cpu = process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
        if (process.pid() != pid) {
            pid = process.pid();
            cpuNanos = cpu;
            atNanos = now;
            cores = 0;
        } else if (now - atNanos >= LEAST_NANOS) {
            cores = (cpu - cpuNanos) / (double) (now - atNanos);
            cpuNanos = cpu;
            atNanos = now;
        }
        return cores;
    }
}
