package dev.penstock.enginesim.engine;

/**
 * A video being made. How far it is follows from the time alone: a tenth of it queued, then in progress, then completed.
 *
 * @param seconds length of the video, as its client wrote it
 * @param startNanos on the engine's clock
 * @param takesNanos until it is completed
 */
public record VideoJob(
        String id,
        String model,
        String prompt,
        String seconds,
        String size,
        long createdSeconds,
        long startNanos,
        long takesNanos) {
    private static final int ALL = 100;
    private static final int QUEUED_PERCENT = 10;

    /** Where a job is. */
    public enum Status {
        QUEUED,
        IN_PROGRESS,
        COMPLETED
    }

    /** 0 to 100. */
    public int progress(long nowNanos) {
        long elapsed = nowNanos - startNanos;
        return elapsed >= takesNanos ? ALL : (int) (elapsed * ALL / takesNanos);
    }

    public Status status(long nowNanos) {
        int progress = progress(nowNanos);
        return progress >= ALL ? Status.COMPLETED : progress >= QUEUED_PERCENT ? Status.IN_PROGRESS : Status.QUEUED;
    }
}
