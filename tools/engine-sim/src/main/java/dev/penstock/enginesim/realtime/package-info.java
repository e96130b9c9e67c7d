/**
 * The WebSocket {@code /v1/realtime}: sound in, words out. One session a connection, and one generation at a time.
 */
@NullMarked
package dev.penstock.enginesim.realtime;

import org.jspecify.annotations.NullMarked;
