/**
 * What routing costs, measured. Reading order: {@link dev.penstock.benchmarks.Benchmarks} (the way in), {@code DecideBench},
 * {@code DecideLoop} (the only caller of the production decision), {@code Chunk} (the clock). No service, socket or file.
 */
@NullMarked
package dev.penstock.benchmarks;

import org.jspecify.annotations.NullMarked;
