/**
 * The collector's parts of the configuration, as records. No I/O.
 */
@NullMarked
package dev.penstock.collector.config;

import org.jspecify.annotations.NullMarked;
