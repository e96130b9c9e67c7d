/** Slots, the right to one request in flight at a replica: conserved, never expired, moved between an owner and its holders. No clock, no I/O. */
@NullMarked
package dev.penstock.core.ledger;

import org.jspecify.annotations.NullMarked;
