package dev.penstock.relaybench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What a process and its children have used of the processor: user and system time of all threads, from /proc. */
final class ProcessCpu {
    /** Of {@code USER_HZ}, 100 on every Linux that Java runs on. */
    private static final double MICROS_PER_TICK = 10_000;

    /** Behind the name in brackets, which may hold spaces: utime and stime are fields 14 and 15 of all. */
    private static final int UTIME = 11;

    private ProcessCpu() {}

    static double micros(ProcessHandle process) {
        return Stream.concat(Stream.of(process), process.descendants())
                .mapToDouble(each -> ticks(each.pid()) * MICROS_PER_TICK)
                .sum();
    }

    /** Of a JVM's compilers: what a router that has run for days does not use any more. */
    static double compilerMicros(ProcessHandle jvm) {
        try (Stream<Path> threads = Files.list(Path.of("/proc", String.valueOf(jvm.pid()), "task"))) {
            return threads.filter(ProcessCpu::compiles)
                    .mapToDouble(each -> ticks(each) * MICROS_PER_TICK)
                    .sum();
        } catch (IOException ended) {
            return 0;
        }
    }

    /** They are named "C1 CompilerThread0" and "C2 CompilerThread0", of which the kernel keeps 15 letters. */
    private static boolean compiles(Path thread) {
        try {
            return Files.readString(thread.resolve("comm")).contains(" CompilerThre");
        } catch (IOException ended) {
            return false;
        }
    }

    private static long ticks(long pid) {
        return ticks(Path.of("/proc", String.valueOf(pid)));
    }

    private static long ticks(Path processOrThread) {
        try {
            String stat = Files.readString(processOrThread.resolve("stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return Long.parseLong(fields[UTIME]) + Long.parseLong(fields[UTIME + 1]);
        } catch (IOException ended) {
            return 0;
        }
    }

    static int openFiles(ProcessHandle process) {
        try (Stream<Path> files = Files.list(Path.of("/proc", String.valueOf(process.pid()), "fd"))) {
            return (int) files.count();
        } catch (IOException ended) {
            return 0;
        }
    }
}
