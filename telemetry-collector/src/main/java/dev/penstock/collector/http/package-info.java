/**
 * A GET whose size and time are bounded. Knows nothing of engines.
 */
@NullMarked
package dev.penstock.collector.http;

import org.jspecify.annotations.NullMarked;
