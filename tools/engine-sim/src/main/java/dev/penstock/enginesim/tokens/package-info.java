/**
 * Paths about tokens: {@code /tokenize}, {@code /detokenize}, {@code /v1/messages/count_tokens}. They never reach the scheduler.
 */
@NullMarked
package dev.penstock.enginesim.tokens;

import org.jspecify.annotations.NullMarked;
