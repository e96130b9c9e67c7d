/**
 * What health-svc decides about replicas, from the outcomes of all routers, probes and telemetry: evidence, verdicts, the
 * way back. No clock, no I/O: times and random numbers are arguments.
 */
@NullMarked
package dev.penstock.core.health;

import org.jspecify.annotations.NullMarked;
