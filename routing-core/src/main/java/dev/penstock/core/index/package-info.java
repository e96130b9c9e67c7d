/** An order of replicas by load that costs the same for ten as for ten thousand. Knows slots and numbers only. */
@NullMarked
package dev.penstock.core.index;

import org.jspecify.annotations.NullMarked;
