package dev.penstock.model;

/**
 * One replica of the roster, present or gone.
 *
 * @param highestNumber highest number ever given, so that a new roster owner never gives one again
 * @param readyAgeMillis for how long this incarnation had been ready when the record was sent, by the owner's monotonic clock;
 *     {@link #AGE_UNKNOWN} when it is gone, or the writer does not know
 */
public record RosterRecord(Header header, Replica replica, boolean gone, int highestNumber, long readyAgeMillis) {
    public static final long AGE_UNKNOWN = -1;
}
