/**
 * Section {@code health} of the configuration. Reads only; starts nothing.
 */
@NullMarked
package dev.penstock.health.config;

import org.jspecify.annotations.NullMarked;
