/**
 * The vLLM front end: its HTTP API, stream framing and error bodies over the step loop. All knowledge of that API is
 * here and (metric names) in {@code EngineMetrics}; another engine's front end would be a sibling package.
 */
@NullMarked
package dev.penstock.enginesim.vllm;

import org.jspecify.annotations.NullMarked;
