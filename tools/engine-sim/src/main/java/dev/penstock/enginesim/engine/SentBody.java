package dev.penstock.enginesim.engine;

/**
 * What an engine wrote as the body of one answer, so that a relay can be shown to pass it on unchanged.
 *
 * @param sha256 in hex, of the body without chunk framing
 */
public record SentBody(String id, String sha256, long bytes, Ending ending) {}
