package dev.penstock.relaybench;

import java.io.IOException;

/** A relay that runs as a process of its own on the contenders' core. */
interface Contender extends AutoCloseable {
    String name();

    /** Where it takes requests, on 127.0.0.1. */
    int port();

    Child child();

    /** A JVM has to be warm before it is measured. */
    boolean jvm();

    /** By its JVM so far; 0 where it has none. */
    long allocatedBytes() throws IOException;

    /** Waits until it may be measured, after it was frozen for a while. */
    void awaitReady() throws IOException, InterruptedException;

    @Override
    void close() throws IOException, InterruptedException;
}
