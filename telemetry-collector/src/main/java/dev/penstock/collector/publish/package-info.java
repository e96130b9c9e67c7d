/**
 * Samples into frames, frames onto the bus. Judges nothing.
 */
@NullMarked
package dev.penstock.collector.publish;

import org.jspecify.annotations.NullMarked;
