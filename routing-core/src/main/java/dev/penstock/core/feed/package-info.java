/** Rules of reading a stream of records: loss, duplicates, restarts and age. No clock, no I/O. */
@NullMarked
package dev.penstock.core.feed;

import org.jspecify.annotations.NullMarked;
