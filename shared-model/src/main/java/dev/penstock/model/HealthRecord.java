package dev.penstock.model;

/**
 * The verdict on one incarnation of a replica, told on each change and again every second.
 *
 * @param validMicros a reader forgets the verdict this long after it came: verdicts expire with their writer
 * @param probePassAgeMicros age at sending of the last deep probe that passed, or {@link #NO_PASS}
 * @param probePassesInRow deep probes passed since the last that failed
 */
public record HealthRecord(
        Header header,
        int number,
        String uid,
        Verdict verdict,
        long validMicros,
        long probePassAgeMicros,
        int probePassesInRow) {
    public static final long NO_PASS = -1;
}
