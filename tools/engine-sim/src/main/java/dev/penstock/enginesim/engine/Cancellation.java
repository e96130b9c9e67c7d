package dev.penstock.enginesim.engine;

/**
 * A request whose client went away.
 *
 * @param id what the engine got in X-Request-Id, or made up
 * @param atMillisSinceStart when the engine noticed and dropped it, since the engine's start
 * @param openMillis how long it had been open
 * @param generatedTokens how far it had come
 */
public record Cancellation(String id, long atMillisSinceStart, long openMillis, int generatedTokens) {}
