/** What each replica of a pool can do, learned from what it has done. Rules only: nobody is asked and nothing is sent here. */
@NullMarked
package dev.penstock.core.capacity;

import org.jspecify.annotations.NullMarked;
