/**
 * What the collector shows of itself. Reads only.
 */
@NullMarked
package dev.penstock.collector.page;

import org.jspecify.annotations.NullMarked;
