/**
 * The vLLM front end: its paths, stream framing and error bodies. All knowledge of that API is here and (metric names)
 * in {@code EngineMetrics}.
 */
@NullMarked
package dev.penstock.enginesim.vllm;

import org.jspecify.annotations.NullMarked;
