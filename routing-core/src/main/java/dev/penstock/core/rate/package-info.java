/** Rate limits: shares of a model's limit, and the local rule that keeps one. Pure. */
@NullMarked
package dev.penstock.core.rate;

import org.jspecify.annotations.NullMarked;
