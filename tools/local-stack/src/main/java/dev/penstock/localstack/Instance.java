package dev.penstock.localstack;

import java.time.Duration;

/** One instance of a service that this stack runs, in this JVM or as a process. Its methods block. */
interface Instance {
    ServiceKind kind();

    int index();

    /** {@code router-0}, {@code health-1}, ... */
    default String name() {
        return kind().label() + "-" + index();
    }

    StatusPage.Place place();

    /** Returns when its management port answers. */
    void start() throws Exception;

    /** Stops it in order, and for good. */
    void stop(Duration grace) throws Exception;

    /** Breaks it: kill, stop, cont, restart. */
    void fault(String verb) throws Exception;

    /** Share of one core it used lately, or a negative number where it has no process of its own. */
    double cpuCores();
}
