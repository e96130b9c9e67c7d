/** What this router says of its own decisions. Nothing here is on the way of a request. */
@NullMarked
package dev.penstock.router.explain;

import org.jspecify.annotations.NullMarked;
