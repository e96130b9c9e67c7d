/** The slot ledger in small: processes, topics, streams and engines around the production rules, each step a separate one. Explored whole, or walked at random. */
@NullMarked
package dev.penstock.ledgermodel;

import org.jspecify.annotations.NullMarked;
