/**
 * The SGLang front end: its paths, stream framing, error bodies and health over the same step loop. All knowledge of that
 * API is here and (metric names) in {@code SglangMetrics}.
 */
@NullMarked
package dev.penstock.enginesim.sglang;

import org.jspecify.annotations.NullMarked;
