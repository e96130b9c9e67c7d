package dev.penstock.benchmarks;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/** Single decisions over 2,000 replicas, in a JVM of their own. A sample is one decision and the clock around it. */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DecideJmh {
    static final int REPLICAS = 2_000;

    /** One view for all threads. */
    @State(Scope.Benchmark)
    public static class Shared {
        final Fleet fleet = new Fleet(REPLICAS);
        final AtomicLong seeds = new AtomicLong();

        @Setup(Level.Iteration)
        public void refresh() {
            fleet.refresh();
        }
    }

    /** An event loop per thread. */
    @State(Scope.Thread)
    @SuppressWarnings("NullAway.Init")
    public static class EventLoop {
        private DecideLoop loop;

        @Setup
        public void start(Shared shared) {
            loop = new DecideLoop(shared.fleet, shared.seeds.incrementAndGet(), null);
        }
    }

    /** Two threads that want the processor as well. */
    @State(Scope.Benchmark)
    public static class Hogs {
        private final Thread[] threads = new Thread[2];
        private volatile boolean stopped;

        @Setup
        public void start() {
            for (int i = 0; i < threads.length; i++)
                threads[i] = Thread.ofPlatform().start(this::burn);
        }

        private void burn() {
            while (!stopped) Thread.onSpinWait();
        }

        @TearDown
        public void stop() throws InterruptedException {
            stopped = true;
            for (Thread each : threads) each.join();
        }
    }

    @Benchmark
    @Threads(1)
    public void alone(EventLoop eventLoop) {
        eventLoop.loop.run(1);
    }

    @Benchmark
    @Threads(2)
    public void contended(EventLoop eventLoop, Hogs hogs) {
        eventLoop.loop.run(1);
    }
}
