/**
 * The load generator: arrivals on a schedule, latency counted from the schedule, a verdict for every answer. It knows the
 * OpenAI API and nothing of Penstock but one response header.
 */
@NullMarked
package dev.penstock.cli.load;

import org.jspecify.annotations.NullMarked;
