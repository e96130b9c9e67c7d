package dev.penstock.enginesim.metrics;

/** Counts HTTP requests in an engine's own way. Called on the engine's event loop. */
public interface HttpObserver {
    /** A request for this path has arrived. */
    default void opened(String path) {}

    /** It is over, however it ended. */
    void answered(String path, int status, long nanos, long requestBytes, long responseBytes);

    /** Starts again from 0. */
    void reset();
}
