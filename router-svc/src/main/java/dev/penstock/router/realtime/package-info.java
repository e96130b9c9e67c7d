/**
 * WebSocket sessions of {@code /v1/realtime}: decided like any request before the client is switched over, then frames are
 * relayed as they are, in both directions. Unpacks no message and never looks into one.
 */
@NullMarked
package dev.penstock.router.realtime;

import org.jspecify.annotations.NullMarked;
