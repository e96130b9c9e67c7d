/** The stream between a holder of slots and the owner of a pool: what they tell each other, in order, until it ends. No books. */
@NullMarked
package dev.penstock.kit.ledger;

import org.jspecify.annotations.NullMarked;
