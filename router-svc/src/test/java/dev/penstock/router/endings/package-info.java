/**
 * Every phase of a request times every ending: a table of what the client sees, and of what must be on the books when it is over.
 * Nothing here knows how the router does it.
 */
@NullMarked
package dev.penstock.router.endings;

import org.jspecify.annotations.NullMarked;
