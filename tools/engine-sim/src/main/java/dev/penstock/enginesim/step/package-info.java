/**
 * The continuous-batching step simulator: what an engine's scheduler and GPU would do, and how long each step takes.
 * Pure: no Vert.x, no I/O, no logging; the clock and the random source are arguments.
 */
@NullMarked
package dev.penstock.enginesim.step;

import org.jspecify.annotations.NullMarked;
