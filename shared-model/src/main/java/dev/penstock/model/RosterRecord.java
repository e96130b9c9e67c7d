package dev.penstock.model;

/**
 * One replica of the roster, present or gone.
 *
 * @param highestNumber highest number ever given, so that a new roster owner never gives one again
 */
public record RosterRecord(Header header, Replica replica, boolean gone, int highestNumber) {}
