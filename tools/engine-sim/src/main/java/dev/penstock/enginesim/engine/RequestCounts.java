package dev.penstock.enginesim.engine;

import java.util.List;

/**
 * The request book at one moment.
 *
 * @param inflight generation requests open now, from their head to the end of the answer or of the connection
 * @param highWater most that were ever open at once
 * @param abortCalls calls of {@code /abort_request} and {@code /abort_requests} that named a request
 * @param aborted requests that these stopped while they were at work
 * @param cancellations the latest, oldest first
 */
public record RequestCounts(
        int inflight,
        int highWater,
        long received,
        long completed,
        long rejected,
        long cancelled,
        long cut,
        long abortCalls,
        long aborted,
        List<Cancellation> cancellations) {}
