/** The owner's side of the slot ledger: pools that are owned, and streams to their holders. Who gets slots is decided in routing-core. */
@NullMarked
package dev.penstock.admission.ledger;

import org.jspecify.annotations.NullMarked;
