/** Who gets the slots, under load in virtual time: production books and distribution, made-up arrivals. Nothing breaks here; that is the explorer's. */
@NullMarked
package dev.penstock.ledgermodel.slots;

import org.jspecify.annotations.NullMarked;
