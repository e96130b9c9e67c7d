/** What the spans of a request say, and which requests have any. Nothing of how spans reach a collector. */
@NullMarked
package dev.penstock.router.trace;

import org.jspecify.annotations.NullMarked;
