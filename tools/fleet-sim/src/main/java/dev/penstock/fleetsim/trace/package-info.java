/**
 * Request traces, row by row: {@link dev.penstock.fleetsim.trace.TraceReader} (the way in) knows three formats. What is done
 * with a request, and how many are kept, is the caller's; no simulator may live here.
 */
@NullMarked
package dev.penstock.fleetsim.trace;

import org.jspecify.annotations.NullMarked;
