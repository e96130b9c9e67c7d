/** Spans as Penstock sends them: their names, and the way to a collector that nobody waits for. What a request's spans say is the service's. */
@NullMarked
package dev.penstock.kit.trace;

import org.jspecify.annotations.NullMarked;
