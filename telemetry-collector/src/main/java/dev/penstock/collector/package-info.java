/**
 * The telemetry collector: its main, its parts list and its lifecycle. Logic lives in the packages below.
 */
@NullMarked
package dev.penstock.collector;

import org.jspecify.annotations.NullMarked;
