package dev.penstock.testkit;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Processes started by this JVM that must not outlive it. A shutdown hook kills what is left; and as a JVM that is killed
 * itself runs no hook, each process has a guard, a shell that reads from a pipe of this JVM and kills at its end. Any
 * thread may call.
 */
public final class OwnedProcesses {
    private static final Set<Process> ALIVE = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(OwnedProcesses::killAll, "owned-processes"));
    }

    private OwnedProcesses() {}

    /** Starts the process and kills it when this JVM ends in whatever way, unless it has ended by then. */
    public static Process start(ProcessBuilder builder) throws IOException {
        Process process = builder.start();
        ALIVE.add(process);
        Process guard = guard(process);
        var unused = process.onExit().whenComplete((ended, failure) -> {
            guard.destroyForcibly();
            ALIVE.remove(process);
        });
        return process;
    }

    /** SIGKILL, and back only when the process is gone. */
    public static void kill(Process process) {
        process.destroyForcibly();
        awaitExit(process, 10);
        if (process.isAlive())
            throw new IllegalStateException("process " + process.pid() + " survived SIGKILL for 10 s");
    }

    /** SIGTERM, SIGKILL after {@code graceSeconds}, and back only when the process is gone. */
    public static void stop(Process process, long graceSeconds) {
        process.destroy();
        awaitExit(process, graceSeconds);
        if (process.isAlive()) kill(process);
    }

    private static Process guard(Process process) throws IOException {
        return new ProcessBuilder("sh", "-c", "read line; kill -9 \"$0\"", Long.toString(process.pid()))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static void killAll() {
        ALIVE.forEach(Process::destroyForcibly);
        ALIVE.forEach(process -> awaitExit(process, 5));
    }

    private static void awaitExit(Process process, long seconds) {
        boolean interrupted = false;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        try {
            while (true) {
                try {
                    process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) Thread.currentThread().interrupt();
        }
    }
}
