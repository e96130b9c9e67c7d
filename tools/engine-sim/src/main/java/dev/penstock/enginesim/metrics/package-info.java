/**
 * A Prometheus text page as the engines' Python client library prints it: number format, label order, name filter.
 * What is on an engine's page is {@link dev.penstock.enginesim.metrics.EngineMetrics} (vLLM) or
 * {@link dev.penstock.enginesim.metrics.SglangMetrics}; HTTP is elsewhere.
 */
@NullMarked
package dev.penstock.enginesim.metrics;

import org.jspecify.annotations.NullMarked;
