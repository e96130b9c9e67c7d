/**
 * A Prometheus text page as vLLM's Python client library prints it: number format, label order, name filter.
 * What is on an engine's page is {@link dev.penstock.enginesim.metrics.EngineMetrics}; HTTP is elsewhere.
 */
@NullMarked
package dev.penstock.enginesim.metrics;

import org.jspecify.annotations.NullMarked;
