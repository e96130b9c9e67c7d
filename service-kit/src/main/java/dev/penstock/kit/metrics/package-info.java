/** The names of metrics. */
@NullMarked
package dev.penstock.kit.metrics;

import org.jspecify.annotations.NullMarked;
