package dev.penstock.enginesim.metrics;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The {@code python_*} and {@code process_*} families that the Python library adds to any page. The process is this
 * JVM, so engines that share one show the same numbers; there is no Python, and its collector did nothing.
 */
public final class ProcessMetrics {
    private static final String[] GENERATIONS = {"0", "1", "2"};

    void addTo(FamilyList list) {
        addCollector(list, "python_gc_objects_collected_total", "Objects collected during gc");
        addCollector(list, "python_gc_objects_uncollectable_total", "Uncollectable objects found during GC");
        addCollector(list, "python_gc_collections_total", "Number of times this generation was collected");
        Map<String, String> python = Map.of(
                "implementation", "CPython", "major", "3", "minor", "12", "patchlevel", "11", "version", "3.12.11");
        list.add("python_info", "gauge", "Python platform information", SampleLine.of("python_info", python, () -> 1));
        Runtime runtime = Runtime.getRuntime();
        list.gauge("process_virtual_memory_bytes", "Virtual memory size in bytes.", runtime::maxMemory);
        list.gauge("process_resident_memory_bytes", "Resident memory size in bytes.", runtime::totalMemory);
        double startSeconds = ManagementFactory.getRuntimeMXBean().getStartTime() / 1000.0;
        list.gauge(
                "process_start_time_seconds",
                "Start time of the process since unix epoch in seconds.",
                () -> startSeconds);
        list.counter(
                "process_cpu_seconds_total",
                "Total user and system CPU time spent in seconds.",
                () -> fromSystem(system -> system.getProcessCpuTime() / 1e9));
        list.gauge(
                "process_open_fds",
                "Number of open file descriptors.",
                () -> fromSystem(UnixOperatingSystemMXBean::getOpenFileDescriptorCount));
        list.gauge(
                "process_max_fds",
                "Maximum number of open file descriptors.",
                () -> fromSystem(UnixOperatingSystemMXBean::getMaxFileDescriptorCount));
    }

    private static void addCollector(FamilyList list, String name, String help) {
        FamilyList.Part[] parts = new FamilyList.Part[GENERATIONS.length];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = new FamilyList.Part(GENERATIONS[i], () -> 0);
        }
        list.split(name, "counter", help, "generation", parts);
    }

    private static double fromSystem(ToDoubleFunction<UnixOperatingSystemMXBean> read) {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? read.applyAsDouble(system)
                : Double.NaN;
    }
}
