package dev.penstock.enginesim.engine;

/**
 * What an engine's process keeps between requests.
 *
 * @param forms for tests; outlives processes
 * @param videoMillis how long a video takes
 */
public record Kept(StoredResponses responses, VideoJobs videos, ReceivedForms forms, long videoMillis) {
    public Kept(long videoMillis) {
        this(new StoredResponses(), new VideoJobs(), new ReceivedForms(), videoMillis);
    }

    /** As in a new process. */
    public void forget() {
        responses.forget();
        videos.forget();
    }
}
