/**
 * Anthropic's {@code /v1/messages} as both engines serve it: events, whole answers, errors. Text only; no state but a stream's own.
 */
@NullMarked
package dev.penstock.enginesim.messages;

import org.jspecify.annotations.NullMarked;
